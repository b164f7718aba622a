//! Calling scripts.

use mlua::{Lua, Result as LuaResult, Variadic};
use serde::{Deserialize, Serialize};

use crate::convert::{table_to_lua, to_frozen_lua, to_lua, to_plain};
use crate::error::Context;
use crate::sandbox::{Sandbox, count_bytes, fault};
use crate::{Limits, ScriptError, Table, Value, random};

/// What a script sees of the world, and what it does to it.
pub trait Host: Send + 'static {
    /// Forgets what the script did: the call is made once more from its beginning.
    fn begin_again(&mut self);
}

/// A function that scripts call as `api.name(…)`.
pub struct Function<H> {
    /// Its name.
    pub name: &'static str,
    /// Names of its results, where they make one table; none where they are returned as they are.
    pub fields: &'static [&'static str],
    /// What it does; the text of an error stops the script.
    pub run: fn(&mut H, &[Value]) -> Result<Vec<Value>, String>,
}

/// What a script may define, and when it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handler {
    /// `init(state, api)`: once, before the first step.
    Init,
    /// `step(state, api)`: before physics in each step.
    Step,
    /// `on_command(state, api, text)`: when a user tells it something.
    OnCommand,
    /// `on_message(state, api, topic, message)`: when a message arrives.
    OnMessage,
}

impl Handler {
    const ALL: [Self; 4] = [Self::Init, Self::Step, Self::OnCommand, Self::OnMessage];

    /// Returns the name of the function.
    pub fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Step => "step",
            Self::OnCommand => "on_command",
            Self::OnMessage => "on_message",
        }
    }
}

/// All that a script knows of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The `state` of its handlers.
    pub state: Value,
    /// Where its next random number comes from.
    pub random: u64,
}

impl Memory {
    /// Makes the memory of a script that has not run yet.
    pub fn new(random: u64) -> Self {
        Self { state: Value::Table(Table::new()), random }
    }
}

/// A call of a handler.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// What is called.
    pub handler: Handler,
    /// What the script knows of the past.
    pub memory: &'a Memory,
    /// Numbers of `api` that this call sees.
    pub fields: &'a [(&'static str, f64)],
    /// What it is given after `state` and `api`.
    pub arguments: &'a [Value],
}

/// What came of a call.
#[derive(Debug)]
pub struct Outcome<H> {
    /// What it remembers now.
    pub memory: Memory,
    /// The host, with what the script did to it.
    pub host: H,
    /// What it printed.
    pub printed: Vec<String>,
    /// How much work it did, as [`Limits::work`] counts it.
    pub work: u64,
}

/// A script that can be called.
///
/// A cache: what it is made of and the memory it is given decide all that it does.
pub struct Script<H: Host> {
    file: String,
    text: String,
    constants: Table,
    functions: &'static [Function<H>],
    limits: Limits,
    sandbox: Sandbox,
    api: mlua::Table,
}

/// What the functions of a script reach while it runs.
struct Running<H> {
    host: H,
    random: u64,
    printed: Vec<String>,
    limits: Limits,
}

impl<H: Host> Script<H> {
    /// Reads a script.
    ///
    /// `constants` are fields of `api` beside its functions; nobody can write to them.
    ///
    /// # Errors
    /// [`ScriptError`] when the text is too long or no Luau.
    pub fn new(
        file: &str,
        text: &str,
        constants: Table,
        functions: &'static [Function<H>],
        limits: Limits,
    ) -> Result<Self, ScriptError> {
        let file = file.to_owned();
        if text.len() > limits.text_bytes {
            return Err(ScriptError::TooLong { file, bytes: text.len(), most: limits.text_bytes });
        }
        let made = machine(&file, text, &constants, functions, &limits);
        let (sandbox, api) = made.map_err(|error| context(&file, "it", &limits).tell(&error))?;
        Ok(Self { file, text: text.to_owned(), constants, functions, limits, sandbox, api })
    }

    /// Calls a handler; one that the script does not define does nothing.
    ///
    /// # Errors
    /// [`ScriptError`]; then the call changed nothing.
    pub fn call(&mut self, call: &Call<'_>, host: H) -> Result<Outcome<H>, ScriptError> {
        let (outcome, mut host) = self.attempt(call, host);
        match outcome {
            Err(error) if Self::is_by_litter(&error) => {
                // How much of it is litter of earlier calls is chance: a machine without a past
                // decides, so that every run decides alike.
                self.renew()?;
                host.begin_again();
                let (outcome, host) = self.attempt(call, host);
                outcome.map(|done| done.with(host))
            }
            outcome => outcome.map(|done| done.with(host)),
        }
    }

    /// Says whether what earlier calls left behind may be part of an error.
    fn is_by_litter(error: &ScriptError) -> bool {
        matches!(error, ScriptError::OutOfMemory { .. } | ScriptError::TooHeavy { .. })
    }

    /// Throws the virtual machine away and makes another.
    fn renew(&mut self) -> Result<(), ScriptError> {
        let Self { file, text, constants, limits, .. } = &*self;
        let made = machine(file, text, constants, self.functions, limits);
        let (sandbox, api) = made.map_err(|error| context(file, "it", limits).tell(&error))?;
        (self.sandbox, self.api) = (sandbox, api);
        Ok(())
    }

    fn attempt(&self, call: &Call<'_>, host: H) -> (Result<Done, ScriptError>, H) {
        let lua = &self.sandbox.lua;
        let running =
            Running { host, random: call.memory.random, printed: Vec::new(), limits: self.limits };
        lua.set_app_data(running);
        self.sandbox.budget.begin(&self.sandbox.lua);
        let outcome = self.run(call);
        let running = lua.remove_app_data::<Running<H>>();
        let Running { host, random, printed, .. } = running.expect("it was put there above");
        let work = self.sandbox.budget.spent();
        let done = |state| Done { memory: Memory { state, random }, printed, work };
        (outcome.map(done), host)
    }

    /// Runs the file and then the handler; returns `state` after it.
    fn run(&self, call: &Call<'_>) -> Result<Value, ScriptError> {
        let handler = call.handler.name();
        let tell = |error: mlua::Error| self.context(handler).tell(&error);
        self.sandbox.run().map_err(tell)?;
        let Some(function) = self.handler(call.handler).map_err(tell)? else {
            return Ok(call.memory.state.clone());
        };
        let state = self.prepare(call).map_err(tell)?;
        let mut arguments = mlua::MultiValue::with_capacity(2 + call.arguments.len());
        arguments.push_back(mlua::Value::Table(state.clone()));
        arguments.push_back(mlua::Value::Table(self.api.clone()));
        for argument in call.arguments {
            arguments.push_back(to_lua(&self.sandbox.lua, argument).map_err(tell)?);
        }
        function.call::<()>(arguments).map_err(tell)?;
        let file = self.file.clone();
        to_plain(&mlua::Value::Table(state), "state", &self.limits)
            .map(|(state, _)| state)
            .map_err(|reason| ScriptError::BadState { file, handler, reason })
    }

    /// Makes `state`, and the fields of `api` that vary.
    fn prepare(&self, call: &Call<'_>) -> LuaResult<mlua::Table> {
        self.api.set_readonly(false);
        for (name, number) in call.fields {
            self.api.raw_set(*name, *number)?;
        }
        self.api.set_readonly(true);
        match &call.memory.state {
            Value::Table(table) => table_to_lua(&self.sandbox.lua, table),
            _ => self.sandbox.lua.create_table(),
        }
    }

    fn context(&self, handler: &'static str) -> Context<'_> {
        let heavy = self.sandbox.budget.was_heavy();
        Context { heavy, ..context(&self.file, handler, &self.limits) }
    }

    /// Returns a handler that the file has just defined.
    fn handler(&self, handler: Handler) -> LuaResult<Option<mlua::Function>> {
        match self.sandbox.defined(handler.name())? {
            mlua::Value::Nil => Ok(None),
            mlua::Value::Function(function) => Ok(Some(function)),
            other => Err(fault(format!(
                "{} is a {}; it must be a function",
                handler.name(),
                kind(&other)
            ))),
        }
    }

    /// Checks that the file defines something that can be called.
    ///
    /// # Errors
    /// [`ScriptError`] when its top fails, or it defines no handler.
    pub fn check(&mut self, memory: &Memory, host: H) -> Result<H, ScriptError> {
        // Whatever the file does from its top is undone by not keeping what came of it.
        let nothing = Call { handler: Handler::Init, memory, fields: &[], arguments: &[] };
        self.sandbox.lua.set_app_data(Running {
            host,
            random: memory.random,
            printed: Vec::new(),
            limits: self.limits,
        });
        self.sandbox.budget.begin(&self.sandbox.lua);
        let outcome = self.look(&nothing);
        let running = self.sandbox.lua.remove_app_data::<Running<H>>();
        outcome.map(|()| running.expect("it was put there above").host)
    }

    fn look(&self, call: &Call<'_>) -> Result<(), ScriptError> {
        let tell = |error: mlua::Error| self.context(call.handler.name()).tell(&error);
        self.sandbox.run().map_err(tell)?;
        let mut found = false;
        for handler in Handler::ALL {
            found |= self.handler(handler).map_err(tell)?.is_some();
        }
        match found {
            true => Ok(()),
            false => Err(ScriptError::NoHandler { file: self.file.clone() }),
        }
    }
}

/// What came of a call, without the host.
struct Done {
    memory: Memory,
    printed: Vec<String>,
    work: u64,
}

impl Done {
    fn with<H>(self, host: H) -> Outcome<H> {
        Outcome { memory: self.memory, host, printed: self.printed, work: self.work }
    }
}

fn context<'a>(file: &'a str, handler: &'static str, limits: &Limits) -> Context<'a> {
    let (work_limit, memory_limit) = (limits.work, limits.memory_bytes);
    Context { file, handler, work_limit, heavy: false, memory_limit }
}

/// Makes a virtual machine with the script and its `api`.
fn machine<H: Host>(
    file: &str,
    text: &str,
    constants: &Table,
    functions: &'static [Function<H>],
    limits: &Limits,
) -> LuaResult<(Sandbox, mlua::Table)> {
    let sandbox = Sandbox::new(file, text, limits, |lua, globals| {
        globals.raw_set("print", lua.create_function(print::<H>)?)?;
        let math: mlua::Table = globals.raw_get("math")?;
        math.raw_set("random", lua.create_function(draw::<H>)?)
    })?;
    let api = sandbox.lua.create_table()?;
    for (name, value) in constants {
        if let crate::Key::Text(name) = name {
            api.raw_set(name.as_str(), to_frozen_lua(&sandbox.lua, value)?)?;
        }
    }
    for Function { name, fields, run } in functions {
        let call = move |lua: &Lua, arguments: Variadic<mlua::Value>| {
            call_host::<H>(lua, name, *run, &arguments)
        };
        let function = sandbox.lua.create_function(call)?;
        api.raw_set(*name, with_fields(&sandbox.lua, function, fields)?)?;
    }
    api.set_readonly(true);
    Ok((sandbox, api))
}

/// Puts the results of a function into a table. The machine makes such tables far faster than we do
/// from outside.
fn with_fields(lua: &Lua, run: mlua::Function, fields: &[&str]) -> LuaResult<mlua::Function> {
    if fields.is_empty() {
        return Ok(run);
    }
    let results: Vec<String> = (0..fields.len()).map(|at| format!("r{at}")).collect();
    let named = fields.iter().zip(&results).map(|(field, result)| format!("{field} = {result}"));
    let text = format!(
        "local run = ... return function(...) local {} = run(...) return {{ {} }} end",
        results.join(", "),
        named.collect::<Vec<_>>().join(", ")
    );
    lua.load(text).set_name("=api").call(run)
}

/// Most arguments of a function of the host; each may be as long as `state`.
const MOST_ARGUMENTS: usize = 16;

fn call_host<H: Host>(
    lua: &Lua,
    name: &str,
    run: fn(&mut H, &[Value]) -> Result<Vec<Value>, String>,
    arguments: &[mlua::Value],
) -> LuaResult<Variadic<mlua::Value>> {
    let mut running = lua.app_data_mut::<Running<H>>().ok_or_else(outside)?;
    if arguments.len() > MOST_ARGUMENTS {
        return Err(fault(format!("api.{name}: it takes {MOST_ARGUMENTS} arguments at most")));
    }
    let mut plain = Vec::with_capacity(arguments.len());
    let mut bytes = 0;
    for (at, argument) in arguments.iter().enumerate() {
        let value = to_plain(argument, &format!("argument {}", at + 1), &running.limits);
        let (value, taken) = value.map_err(|why| fault(format!("api.{name}: {why}")))?;
        plain.push(value);
        bytes += taken;
    }
    count_bytes(lua, bytes)?;
    let results = run(&mut running.host, &plain);
    drop(running);
    let results = results.map_err(|why| fault(format!("api.{name}: {why}")))?;
    results.iter().map(|value| to_lua(lua, value)).collect()
}

fn print<H: Host>(lua: &Lua, values: Variadic<mlua::Value>) -> LuaResult<()> {
    let mut running = lua.app_data_mut::<Running<H>>().ok_or_else(outside)?;
    if running.printed.len() >= running.limits.printed_lines {
        return Ok(());
    }
    let most = running.limits.printed_chars;
    let mut line = String::new();
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            line.push('\t');
        }
        // What is beyond the end is not even looked at: there may be very much of it.
        if line.len() > 4 * most {
            break;
        }
        match value {
            mlua::Value::String(text) => {
                let bytes = text.as_bytes();
                line.push_str(&String::from_utf8_lossy(&bytes[..bytes.len().min(4 * most)]));
            }
            mlua::Value::Integer(number) => line.push_str(&number.to_string()),
            mlua::Value::Number(number) => line.push_str(&number.to_string()),
            mlua::Value::Boolean(value) => line.push_str(&value.to_string()),
            other => line.push_str(other.type_name()),
        }
    }
    running.printed.push(line.chars().take(most).collect());
    Ok(())
}

/// `math.random`, out of the memory.
fn draw<H: Host>(lua: &Lua, range: Variadic<f64>) -> LuaResult<f64> {
    let mut running = lua.app_data_mut::<Running<H>>().ok_or_else(outside)?;
    let (low, high) = match range[..] {
        [] => return Ok(random::uniform(&mut running.random)),
        [high] => (1.0, high),
        [low, high] => (low, high),
        _ => return Err(fault("math.random takes two numbers at most")),
    };
    const MOST: f64 = (1u64 << 53) as f64;
    let usable = |number: f64| number.abs() <= MOST;
    if !(usable(low) && usable(high) && low.floor() <= high.floor()) {
        return Err(fault(format!("math.random has no number from {low} to {high}")));
    }
    Ok(random::between(&mut running.random, low.floor() as i64, high.floor() as i64) as f64)
}

/// Says what kind of value something is, as scripts call it.
fn kind(value: &mlua::Value) -> &'static str {
    match value {
        mlua::Value::Integer(_) => "number",
        other => other.type_name(),
    }
}

fn outside() -> mlua::Error {
    fault("this can be used only while a handler runs")
}
