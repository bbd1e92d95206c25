// The program's messages in Russian, by the package that has them.

import { Teller } from '../tell';
import app from './told/app.json';
import browser from './told/browser.json';
import calls from './told/calls.json';
import config from './told/config.json';
import host from './told/host.json';
import planner from './told/planner.json';
import plugins from './told/plugins.json';
import policy from './told/policy.json';
import recipes from './told/recipes.json';
import { form } from './count';

const units = { h: 'ч', m: 'мин', s: 'с', ms: 'мс', µs: 'мкс', B: 'Б', KiB: 'КиБ', MiB: 'МиБ', GiB: 'ГиБ', TiB: 'ТиБ' };

export const sayings = { ...app, ...browser, ...calls, ...config, ...host, ...planner, ...plugins, ...policy, ...recipes };

export const teller = new Teller(sayings, { form: (n, one = '', few = one, many = few) => form(n, one, few, many), units });
