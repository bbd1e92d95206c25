// Generated from app/desktop by its test; do not edit.
// go test ./app/desktop -run TypeScript -update

export interface API {
  Close(arg1: boolean): Promise<void>;
  Get(arg1: string): Promise<Run>;
  Plan(arg1: string): Promise<Plan>;
  Read(arg1: string): Promise<Reading>;
  Recent(arg1: number): Promise<Line[]>;
  Run(arg1: string, arg2: string): Promise<Run>;
  Start(): Promise<Boot>;
  Stop(): Promise<void>;
}

export interface Events {
  run: RunEvent;
  close_asked: void;
}

export interface Run {
  run_id: string;
  seq: number;
  text: string;
  status: string;
  started_at: number;
  duration_ms: number;
  plan: Plan;
  answer: string;
  connections: Connections;
  error: Failure | null;
}

export interface Plan {
  text: string;
  language: string;
  gate: 'runs' | 'asks' | 'refused' | 'question' | 'done' | 'none';
  status: string;
  summary: string;
  reason: string;
  proof: string;
  digest: string;
  hosts: string[];
  steps: Step[];
  questions: Question[];
  risks: Risk[];
  unmet: string[];
}

export interface Step {
  id: string;
  tool: string;
  does: string;
  why: string;
  args: Pair[];
  host: string;
  needs: string[];
  risk: string;
  read_only: boolean;
  verdict: string;
  rule: string;
  because: string;
  would_allow: string;
  status: string;
  started_at: number;
  duration_ms: number;
  result: Pair[];
  page: Page | null;
  error: Failure | null;
}

export interface Pair {
  name: string;
  value: string;
}

export interface Page {
  url: string;
  title: string;
  screenshot: string;
}

export interface Failure {
  class: string;
  code: string;
  message: string;
  hint: string;
  retriable: boolean;
}

export interface Question {
  id: string;
  question: string;
  choices: Choice[];
  free_text: boolean;
}

export interface Choice {
  label: string;
  value: string;
}

export interface Risk {
  kind: string;
  details: string;
}

export interface Connections {
  allowed: number;
  stopped: number;
  hosts: Host[];
}

export interface Host {
  name: string;
  verdict: string;
  because: string;
  count: number;
}

export interface Reading {
  text: string;
  status: string;
  does: string[];
  hosts: string[];
  reason: string;
  questions: Question[];
}

export interface Line {
  run_id: string;
  text: string;
  status: string;
  started_at: number;
  duration_ms: number;
}

export interface Boot {
  version: string;
  language: string;
  theme: string;
  demo: boolean;
  active: string;
  faults: Fault[];
  examples: Examples;
}

export interface Fault {
  source: string;
  line: number;
  key: string;
  message: string;
}

export interface Examples {
  en: string[];
  ru: string[];
}

export interface RunEvent {
  run_id: string;
  seq: number;
  run: Run | null;
  step: Step | null;
  connections: Connections | null;
}
