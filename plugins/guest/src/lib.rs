//! What the bundled plugins have in common: their talk with the host. A call is
//! one JSON object on standard input, its answer one on standard output; see the
//! docs on plugins for the format.

use std::io::{self, Read, Write};

/// Makes a [Text] of its code, its English as for format!, and the parameters.
#[macro_export]
macro_rules! text {
    ($code:literal, $english:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut params = $crate::Map::new();
        $(
            let $name = $value;
            params.insert(stringify!($name).into(), $crate::Param::value(&$name));
        )*
        $crate::Text { code: $code, english: format!($english $(, $name = $name)*), params }
    }};
}

#[cfg(feature = "zip")]
pub mod carried;
#[cfg(not(target_os = "wasi"))]
pub mod extism;
#[cfg(target_os = "wasi")]
pub mod node;
#[cfg(target_os = "wasi")]
pub mod place;
#[cfg(target_os = "wasi")]
pub mod time;
#[cfg(target_os = "wasi")]
pub mod whole;
#[cfg(feature = "zip")]
pub mod zip;

pub use serde_json::{json, Map, Value};

/// What a tool that worked answers.
#[derive(Default)]
pub struct Answer {
    pub payload: Value,
    /// What holds now: "exists:/root/0/x".
    pub facts: Vec<String>,
    /// What takes the call back; none where nothing does.
    pub undo: Option<Inverse>,
    /// Of a tool that finds out what came of a call.
    pub state: Option<State>,
}

impl Answer {
    pub fn of(payload: Value) -> Answer {
        Answer { payload, ..Answer::default() }
    }
}

/// A call that takes another one back, of one of the plugin's own tools.
pub struct Inverse {
    pub tool: &'static str,
    pub args: Value,
}

/// What came of a call whose end nobody saw.
pub enum State {
    /// It had its effect.
    Committed,
    /// It had none.
    Released,
    /// It can't be told.
    Unknown,
}

/// A sentence for a person. The program says it in the person's language, by its code
/// and parameters, and other hosts say it in English.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The name of the text in table [bundled] of the program's language files.
    pub code: &'static str,
    pub english: String,
    pub params: Map<String, Value>,
}

impl Text {
    /// Nothing to say.
    pub fn none() -> Text {
        Text::default()
    }

    fn is_none(&self) -> bool {
        self.code.is_empty()
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.english)
    }
}

/// What can be a parameter of a [Text].
pub trait Param {
    fn value(&self) -> Value;
}

impl Param for str {
    fn value(&self) -> Value {
        self.into()
    }
}

impl Param for String {
    fn value(&self) -> Value {
        self.as_str().into()
    }
}

impl Param for u64 {
    fn value(&self) -> Value {
        (*self).into()
    }
}

impl Param for usize {
    fn value(&self) -> Value {
        (*self).into()
    }
}

impl Param for Text {
    fn value(&self) -> Value {
        json!({"code": self.code, "params": self.params})
    }
}

impl<T: Param + ?Sized> Param for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

/// A tool's no. A person can do something about one that has a hint.
#[derive(Clone, Debug)]
pub struct Error {
    pub class: &'static str,
    pub code: &'static str,
    pub message: Text,
    pub hint: Text,
    /// The same call fails again: the hint says what to do instead.
    pub permanent: bool,
}

impl Error {
    /// Execution that failed. The same call works once the user has followed the hint.
    pub fn new(code: &'static str, hint: Text, message: Text) -> Error {
        Error { class: "", code, message, hint, permanent: false }
    }

    /// Execution that failed and would fail again. The hint says what to do instead.
    pub fn permanent(code: &'static str, hint: Text, message: Text) -> Error {
        Error { permanent: true, ..Error::new(code, hint, message) }
    }

    /// The same error, with another path in what it says.
    pub fn renamed(mut self, was: &str, is: &str) -> Error {
        for text in [&mut self.message, &mut self.hint] {
            text.english = text.english.replace(was, is);
            for v in text.params.values_mut() {
                if let Some(s) = v.as_str() {
                    *v = s.replace(was, is).into();
                }
            }
        }
        self
    }

    /// Arguments that can't be meant.
    pub fn invalid(code: &'static str, hint: Text, message: Text) -> Error {
        Error { class: "validation_error", ..Error::permanent(code, hint, message) }
    }
}

/// Carries out one call.
pub type Tool = fn(Args) -> Result<Answer, Error>;

/// The arguments of a call. The host has held them against the schema; what is
/// of another kind all the same, or left over, is an error.
pub struct Args {
    values: Map<String, Value>,
    /// Name of the temporary file that the call may make beside what it writes.
    part: String,
    /// Arguments whose file was made since the call began whose outcome is to be found out.
    new: Vec<String>,
}

impl Args {
    pub fn new(v: Value) -> Result<Args, Error> {
        match v {
            Value::Object(values) => Ok(Args { values, part: String::new(), new: Vec::new() }),
            Value::Null => Args::new(json!({})),
            _ => Err(bad(text!("args_not_object", "the arguments must be an object"))),
        }
    }

    /// Adds what the host says of the call beside its arguments.
    fn told(mut self, call: &Map<String, Value>) -> Args {
        self.part = call.get("part").and_then(Value::as_str).unwrap_or(".errand.part").to_string();
        if let Some(Value::Array(new)) = call.get("new") {
            self.new = new.iter().filter_map(Value::as_str).map(str::to_string).collect();
        }
        self
    }

    /// The name of the temporary file of this call. It is the same when the call is repeated.
    pub fn part(&self) -> String {
        self.part.clone()
    }

    /// Says whether the file that an argument names was made since the call began whose
    /// outcome is to be found out.
    pub fn is_new(&self, name: &str) -> bool {
        self.new.iter().any(|n| n == name)
    }

    /// Takes an argument that may be left out.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.values.remove(name).filter(|v| !v.is_null())
    }

    /// Takes a text that may be left out.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Error> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(s)) => Ok(Some(s)),
            Some(_) => Err(bad(text!("arg_not_text", "{name} must be a text", name = name))),
        }
    }

    /// Takes a flag; one that is left out is false.
    pub fn flag(&mut self, name: &str) -> Result<bool, Error> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(b)) => Ok(b),
            Some(_) => Err(bad(text!("arg_not_flag", "{name} must be true or false", name = name))),
        }
    }

    /// Takes a list of texts that may be left out.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, Error> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(all)) if all.iter().all(Value::is_string) => {
                Ok(all.iter().filter_map(Value::as_str).map(str::to_string).collect())
            }
            Some(_) => Err(bad(text!("arg_not_texts", "{name} must be a list of texts", name = name))),
        }
    }

    /// Takes a whole number from 0 on.
    pub fn number(&mut self, name: &str, otherwise: u64) -> Result<u64, Error> {
        match self.take(name) {
            None => Ok(otherwise),
            Some(v) => v.as_u64().ok_or_else(|| bad(text!("arg_not_number", "{name} must be a whole number", name = name))),
        }
    }

    /// Says that all was taken.
    pub fn end(self) -> Result<(), Error> {
        match self.values.keys().next() {
            None => Ok(()),
            Some(k) => Err(bad(text!("arg_unknown", "there is no argument {name:?}", name = k))),
        }
    }
}

/// Arguments that a tool does not take.
pub fn bad(message: Text) -> Error {
    Error::invalid("bad_args", Text::none(), message)
}

/// Reads the call of a WASI command, has the tool carry it out, and writes the
/// answer. An exit code other than 0 means that there is none.
pub fn run(tools: &[(&str, Tool)]) {
    let mut call = Vec::new();
    if let Err(e) = io::stdin().lock().read_to_end(&mut call) {
        give_up("read the call", &e)
    }
    let parsed = serde_json::from_slice(&call);
    drop(call); // it may be large
    let answer = match parsed {
        Ok(call) => answer(tools, call),
        // Such as arguments nested without end.
        Err(e) => no(bad(text!("call_unreadable", "the call can't be read: {cause}", cause = e.to_string()))),
    };
    let mut out = io::stdout().lock();
    if let Err(e) = writeln!(out, "{}", answer).and_then(|_| out.flush()) {
        give_up("write the answer", &e)
    }
}

fn give_up(what: &str, e: &dyn std::fmt::Display) -> ! {
    eprintln!("{}: {}", what, e);
    std::process::exit(2)
}

fn answer(tools: &[(&str, Tool)], mut call: Map<String, Value>) -> Value {
    let name = call.get("tool").and_then(Value::as_str).unwrap_or("");
    let tool = match tools.iter().find(|(n, _)| *n == name) {
        Some((_, tool)) => tool,
        None => {
            let message = text!("tool_unknown", "there is no tool {name:?} in this plugin", name = name);
            return no(Error::invalid("unknown_tool", Text::none(), message));
        }
    };
    let args = call.remove("args").unwrap_or(Value::Null);
    match Args::new(args).map(|a| a.told(&call)).and_then(tool) {
        Ok(a) => yes(a),
        Err(e) => no(e),
    }
}

fn yes(a: Answer) -> Value {
    let mut v = json!({"ok": true, "payload": a.payload});
    if !a.facts.is_empty() {
        v["facts"] = a.facts.into();
    }
    if let Some(undo) = a.undo {
        v["undo"] = json!({"tool": undo.tool, "args": undo.args});
    }
    if let Some(state) = a.state {
        v["state"] = match state {
            State::Committed => "committed",
            State::Released => "released",
            State::Unknown => "unknown",
        }
        .into();
    }
    v
}

fn no(e: Error) -> Value {
    json!({"ok": false, "error": fault(e)})
}

fn fault(e: Error) -> Map<String, Value> {
    let mut v = Map::new();
    if !e.class.is_empty() {
        v.insert("class".into(), e.class.into());
    }
    v.insert("code".into(), e.code.into());
    let mut texts = Map::new();
    texts.insert("message".into(), e.message.value());
    v.insert("message".into(), e.message.english.into());
    v.insert("recoverable".into(), (!e.hint.is_none()).into());
    if !e.hint.is_none() {
        texts.insert("hint".into(), e.hint.value());
        v.insert("hint".into(), e.hint.english.into());
    }
    v.insert("texts".into(), texts.into());
    v.insert("retriable".into(), false.into());
    if e.permanent {
        v.insert("permanent".into(), true.into());
    }
    v
}
