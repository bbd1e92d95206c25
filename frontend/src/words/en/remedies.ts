// What to do if the program's hint names a command, by code or rule.

const again = 'Ask for it again: type the goal, or press Again under its run.';
const draft = 'Look at it under “Waiting for you”.';
const runs = 'Look for it under Runs.';
const plugin = 'Under Plugins: install it again from where it came, or remove it.';
const visible = 'Switch “Show the browser” on in Settings, and try again: the page waits for you in the browser’s window. Errand does not get around it.';

export const remedies = {
  'allowlist.unlisted': 'Allow the host in the plan, or add it under Policy.',
  approval_drift: draft,
  another_plugin: 'Install it as a plugin of its own, and remove this one if you no longer want it.',
  bad_manifest: 'Under Plugins: look for an update, or remove it.',
  browser_died: 'The Doctor says what the browser lacks; Settings name another browser, or leave it unseen.',
  browser_unavailable: 'The Doctor says what the browser lacks.',
  challenge_page: visible,
  confirm_count: 'Type the number beside the button.',
  consent_wall: visible,
  draft_applied: runs,
  draft_applying: 'Wait until its run has ended.',
  draft_cancelled: again,
  draft_expired: again,
  draft_not_found: 'What waits is under “Waiting for you”.',
  effect_settled: runs,
  grant_not_found: 'What is open stands under Policy.',
  grant_opens_nothing: 'Try the address under Policy: it says which line of the configuration would.',
  name_not_resolved: 'Look whether this machine is online, and whether the name is spelt right.',
  no_module: 'Install it again from where it came.',
  not_installed: 'What is installed stands under Plugins.',
  nothing_left: 'Say no to the whole draft instead.',
  open_questions: 'Answer its question first.',
  partial: draft,
  plugin_pinned: 'Install the new version from its address, with its digest.',
  plugin_tampered: plugin,
  recipe_not_found: 'The recipes that there are stand under Recipes.',
  run_done: runs,
  run_not_found: runs,
  'doctor.network': 'Connect this machine to a network.',
  unknown_tool: 'Under Plugins: it may be switched off, or not be installed.',
};
