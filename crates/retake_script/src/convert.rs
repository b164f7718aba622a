//! Values of the language to plain ones and back.

use std::collections::BTreeSet;
use std::ffi::c_void;

use mlua::{Lua, Result as LuaResult};

use crate::{Key, Limits, Table, Value};

/// Makes a value of the language.
///
/// Tables are filled in the order of their keys, so that going through one always goes the same way.
pub(crate) fn to_lua(lua: &Lua, value: &Value) -> LuaResult<mlua::Value> {
    Ok(match value {
        Value::Nil => mlua::Value::Nil,
        Value::Boolean(value) => mlua::Value::Boolean(*value),
        Value::Number(number) => mlua::Value::Number(*number),
        Value::Text(text) => mlua::Value::String(lua.create_string(text)?),
        Value::Table(table) => mlua::Value::Table(table_to_lua(lua, table)?),
    })
}

/// Makes a table of the language.
pub(crate) fn table_to_lua(lua: &Lua, table: &Table) -> LuaResult<mlua::Table> {
    let numbered = table.keys().take_while(|key| matches!(key, Key::Number(_))).count();
    let made = lua.create_table_with_capacity(numbered, table.len() - numbered)?;
    for (key, value) in table {
        let value = to_lua(lua, value)?;
        match key {
            Key::Number(number) => made.raw_set(*number, value)?,
            Key::Text(text) => made.raw_set(text.as_str(), value)?,
        }
    }
    Ok(made)
}

/// Makes a value that nothing can write to.
pub(crate) fn to_frozen_lua(lua: &Lua, value: &Value) -> LuaResult<mlua::Value> {
    let made = to_lua(lua, value)?;
    if let mlua::Value::Table(table) = &made {
        freeze(table)?;
    }
    Ok(made)
}

fn freeze(table: &mlua::Table) -> LuaResult<()> {
    for pair in table.pairs::<mlua::Value, mlua::Value>() {
        if let (_, mlua::Value::Table(inner)) = pair? {
            freeze(&inner)?;
        }
    }
    table.set_readonly(true);
    Ok(())
}

/// Makes a plain value, or says what is wrong with it; `name` is what people call it.
///
/// Returns how many bytes it takes too, as [`Limits::state_bytes`] counts them.
pub(crate) fn to_plain(
    value: &mlua::Value,
    name: &str,
    limits: &Limits,
) -> Result<(Value, usize), String> {
    let mut reader = Reader { limits, path: Vec::new(), seen: BTreeSet::new(), bytes: 0 };
    let read = reader.read(value).map_err(|why| format!("{name}{} {why}", reader.place()))?;
    Ok((read, reader.bytes))
}

struct Reader<'a> {
    limits: &'a Limits,
    /// Where the reader is: the key and the table at each level.
    path: Vec<(Key, *const c_void)>,
    /// Every table that was met.
    seen: BTreeSet<*const c_void>,
    bytes: usize,
}

impl Reader<'_> {
    fn place(&self) -> String {
        self.path.iter().map(|(key, _)| key.to_string()).collect()
    }

    fn read(&mut self, value: &mlua::Value) -> Result<Value, String> {
        match value {
            mlua::Value::Nil => Ok(Value::Nil),
            mlua::Value::Boolean(value) => self.take(1).map(|()| Value::Boolean(*value)),
            mlua::Value::Integer(number) => self.take(8).map(|()| Value::Number(*number as f64)),
            mlua::Value::Number(number) => self.take(8).map(|()| Value::Number(*number)),
            mlua::Value::String(text) => {
                let text = text.to_str().map_err(|_| "is not UTF-8 text".to_owned())?;
                self.take(text.len())?;
                Ok(Value::Text(text.to_owned()))
            }
            mlua::Value::Table(table) => self.read_table(table),
            other => Err(format!(
                "is a {}; only tables, numbers, strings and booleans can be kept",
                other.type_name()
            )),
        }
    }

    fn read_table(&mut self, table: &mlua::Table) -> Result<Value, String> {
        let identity = table.to_pointer();
        if self.path.iter().any(|(_, holder)| *holder == identity) {
            return Err("is a table that holds itself; keep a name or a number of it".to_owned());
        }
        if !self.seen.insert(identity) {
            return Err(
                "is a table that is there already; what is kept is a tree, so copy it".to_owned()
            );
        }
        if self.path.len() >= self.limits.depth {
            return Err(format!("is nested deeper than {} tables", self.limits.depth));
        }
        if table.has_metatable() {
            return Err("has a metatable, which cannot be kept; keep a plain table".to_owned());
        }
        self.take(0)?;
        let mut read = Table::new();
        for pair in table.pairs::<mlua::Value, mlua::Value>() {
            let (key, value) = pair.map_err(|error| error.to_string())?;
            let key = self.read_key(&key)?;
            self.path.push((key.clone(), identity));
            let value = self.read(&value)?;
            self.path.pop();
            read.insert(key, value);
        }
        Ok(Value::Table(read))
    }

    fn read_key(&mut self, key: &mlua::Value) -> Result<Key, String> {
        match key {
            mlua::Value::Integer(number) => self.take(8).map(|()| Key::Number(*number as f64)),
            // A key that is -0 is the key 0.
            mlua::Value::Number(number) => self.take(8).map(|()| Key::Number(*number + 0.0)),
            mlua::Value::String(text) => {
                let text =
                    text.to_str().map_err(|_| "has a key that is not UTF-8 text".to_owned())?;
                self.take(text.len())?;
                Ok(Key::Text(text.to_owned()))
            }
            other => {
                Err(format!("has a {} as key; keys are numbers and strings", other.type_name()))
            }
        }
    }

    /// Counts bytes.
    fn take(&mut self, bytes: usize) -> Result<(), String> {
        // What an entry costs besides its text.
        self.bytes += bytes + 8;
        match self.bytes <= self.limits.state_bytes {
            true => Ok(()),
            false => Err(format!("makes it longer than {} bytes in all", self.limits.state_bytes)),
        }
    }
}
