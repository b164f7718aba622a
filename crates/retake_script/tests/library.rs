//! What the language's own functions count when what they are given is long.

use expect_test::{Expect, expect};
use retake_script::{
    Call, Function, Handler, Host, Limits, Memory, Outcome, Script, ScriptError, Table,
};

/// A world without anything.
#[derive(Debug)]
struct Nothing;

impl Host for Nothing {
    fn begin_again(&mut self) {}
}

const API: &[Function<Nothing>] =
    &[Function { name: "echo", fields: &[], run: |_, args| Ok(args.to_vec()) }];

const LIMITS: Limits = Limits {
    work: 100_000,
    memory_bytes: 64 << 20,
    state_bytes: 256 << 10,
    depth: 16,
    text_bytes: 256 << 10,
    printed_lines: 32,
    printed_chars: 500,
};

fn run(text: &str) -> Result<Outcome<Nothing>, ScriptError> {
    let mut script = Script::new("test.luau", text, Table::new(), API, LIMITS)?;
    let memory = Memory::new(7);
    let call = Call { handler: Handler::Step, memory: &memory, fields: &[], arguments: &[] };
    script.call(&call, Nothing)
}

/// Tells what was printed, or what went wrong.
fn told(text: &str) -> String {
    run(text).map_or_else(|error| error.to_string(), |outcome| outcome.printed.join("; "))
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&told(text));
}

/// Returns the work of a step that does something so many times.
fn work(setup: &str, repeated: &str, times: usize) -> u64 {
    let text = format!(
        "function step(_, api)
             {setup}
             for i = 1, {times} do {repeated} end
         end"
    );
    run(&text).unwrap_or_else(|error| panic!("{repeated}: {error}")).work
}

/// Long things to call functions with, each on one line.
const TEXT: &str = "local text = string.rep('ab', 125000)";
const DIGITS: &str = "local text = string.rep('0', 250000)";
const BROKEN: &str = "local text = 'a' .. string.rep('\\x80', 250000)";
const LIST: &str = "local list = table.create(60000, 1)";
const KEYED: &str = "local list = {} for i = 1, 9000 do list['k' .. i] = i end";

/// What a step does over and over, with what.
const LONG: &[(&str, &str)] = &[
    (TEXT, "string.find(text, 'abc', 1, true)"),
    (TEXT, "text:find('abc', 1, true)"),
    (TEXT, "string.find(text, 'abc')"),
    (TEXT, "string.find(text, '^.*')"),
    (TEXT, "string.match(text, '^[ab]*')"),
    (TEXT, "string.gmatch(text, '.*')()"),
    (TEXT, "string.gsub(text, '.*', '')"),
    (TEXT, "string.gsub('a', 'a', text)"),
    (TEXT, "string.lower(text)"),
    (TEXT, "string.upper(text)"),
    (TEXT, "string.reverse(text)"),
    (TEXT, "string.rep('ab', 125000)"),
    (TEXT, "string.sub(text, 2)"),
    (TEXT, "string.split(text, 'x')"),
    (TEXT, "string.format('%s', text)"),
    (TEXT, "local made = `{text} and more`"),
    (TEXT, "string.format('%*', text)"),
    (TEXT, "string.format('%q', text)"),
    (TEXT, "string.pack('z', text)"),
    ("local text = string.rep(' ', 250000)", "string.packsize(text)"),
    (TEXT, "string.unpack('c250000', text)"),
    (TEXT, "string.byte(text, 1, 60000)"),
    (TEXT, "utf8.len(text)"),
    (TEXT, "utf8.offset(text, 200000)"),
    (TEXT, "utf8.codepoint(text, 1, 60000)"),
    (BROKEN, "utf8.codes(text)(text, 1)"),
    (DIGITS, "tonumber(text)"),
    (DIGITS, "tonumber(text, 2)"),
    (LIST, "table.find(list, 2)"),
    (LIST, "table.insert(list, 1, 1)"),
    (LIST, "table.remove(list, 1)"),
    (LIST, "table.remove(list, '1')"),
    (LIST, "table.concat(list, '', 1, 30000)"),
    (LIST, "table.unpack(list)"),
    (LIST, "unpack(list)"),
    (LIST, "local one = {} table.clone(list)"),
    (LIST, "table.create(60000)"),
    (LIST, "table.create('60000', 1)"),
    (LIST, "table.maxn(list)"),
    (LIST, "table.foreach(list, string.len)"),
    (LIST, "table.foreachi(list, string.len)"),
    ("local list = table.create(9000, 1)", "table.sort(list)"),
    ("local list = table.create(9000, 1)", "table.move(list, '1', '8000', 2)"),
    (TEXT, "api.echo(text)"),
    (KEYED, "table.clone(list)"),
    (KEYED, "table.maxn(list)"),
    (KEYED, "table.clear(list) for i = 1, 900 do list['k' .. i] = i end"),
];

#[test]
fn what_takes_long_input_counts_by_its_length() {
    // A call on a quarter of a megabyte, or on thousands of places, counts for hundreds of turns, so
    // that no step makes many thousands of them.
    let each = |setup, call| work(setup, call, 2).saturating_sub(work(setup, call, 1));
    let counts = LONG.iter().map(|(setup, call)| (*call, each(setup, call)));
    let light: Vec<_> = counts.filter(|(_, count)| *count < 200).collect();
    assert!(light.is_empty(), "these count too little: {light:#?}");
    for (setup, call) in LONG {
        let error = told(&format!("{setup}\nfunction step(_, api) while true do {call} end end"));
        // Where it makes much litter, memory may be part of it.
        assert!(error.starts_with("test.luau:2: step takes too long"), "{call}: {error}");
    }
}

#[test]
fn what_takes_short_input_counts_for_little() {
    let calls = [
        "string.sub('abcdef', 2, 3)",
        "string.byte('abcdef', 2)",
        "string.find('abcdef', 'de')",
        "tonumber('12')",
        "table.insert(list, i)",
        "table.insert(list, 1, i)",
        "table.remove(list, 1)",
        "table.concat(list, ' ')",
        "table.unpack(list)",
        "string.split('a,b', ',')",
        "table.find(list, 3)",
        "api.echo(i)",
    ];
    for call in calls {
        let each = work("local list = {1, 2, 3}", call, 100) / 100;
        assert!(each <= 8, "{call} counts {each}");
    }
}

#[test]
fn a_search_counts_each_turn_by_what_it_may_go_through() {
    // Each place of the text is tried, and each try goes through the rest of it, or through a
    // pattern as long as it: without that counting, one call takes minutes.
    let too_long = |text: &str| assert!(told(text).contains("takes too long"), "{}", told(text));
    too_long("function step() string.find(string.rep('x', 250000), '%bxy') end");
    too_long(
        "function step()
             local text = string.rep('a', 250000)
             string.find(text, '[' .. string.rep('b', 250000) .. ']')
         end",
    );
    too_long(
        "function step()
             for found in string.gmatch(string.rep('x', 60000), '%bxy') do end
         end",
    );
    // The same pattern in a text of an ordinary length.
    check(
        "function step() print(string.find(string.rep('x', 500) .. '(a(b)c)', '%b()')) end",
        expect!["501\t507"],
    );
}

#[test]
fn many_values_at_hand_make_each_turn_count_more() {
    // Nothing is called here that would count them: they are copied from turn to turn.
    check(
        "local function repeated(...)
             for i = 1, 5000 do math.max(...) end
         end
         function step() repeated(table.unpack(table.create(20000, 1))) end",
        expect![
            "test.luau:2: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
}

#[test]
fn long_texts_in_order_count_by_their_length() {
    check(
        "function step()
             local text, list = string.rep('x', 100000), {}
             local one, other = text .. 1, text .. 2
             for i = 1, 2000 do list[i] = if i % 2 == 0 then one else other end
             table.sort(list)
         end",
        expect![
            "test.luau:5: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
}

#[test]
fn places_that_wrap_around_count_too() {
    // Both become whole numbers of 32 bits, with two thousand million places between them.
    check(
        "function step() table.move({}, 3e9, -2, 2) end",
        expect![
            "test.luau:1: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
}

#[test]
fn functions_that_count_refuse_what_the_languages_own_refuse() {
    let refused = |call: &str, expected: Expect| {
        expected.assert_eq(&told(&format!("function step()\n    {call}\nend")));
    };
    refused("string.sub()", expect!["test.luau:2: missing argument #1 to 'sub' (string expected)"]);
    refused(
        "string.sub({}, 1)",
        expect!["test.luau:2: invalid argument #1 to 'sub' (string expected, got table)"],
    );
    refused(
        "string.rep('x', nil)",
        expect!["test.luau:2: invalid argument #2 to 'rep' (number expected, got nil)"],
    );
    refused("string.find('a', '(')", expect!["test.luau:2: unfinished capture"]);
    refused("table.insert({})", expect!["test.luau:2: wrong number of arguments to 'insert'"]);
    refused(
        "table.insert({}, 'x', 1)",
        expect!["test.luau:2: invalid argument #2 to 'insert' (number expected, got string)"],
    );
    refused(
        "table.insert(table.freeze({1}), 2)",
        expect!["test.luau:2: attempt to modify a readonly table"],
    );
    refused(
        "table.concat({1, {}, 3})",
        expect!["test.luau:2: invalid value (table) at index 2 in table for 'concat'"],
    );
    refused("table.sort()", expect!["test.luau:2: missing argument #1 to 'sort' (table expected)"]);
    refused("table.sort({1, 'x'})", expect!["test.luau:2: attempt to compare string < number"]);
    refused(
        "table.create(-1)",
        expect!["test.luau:2: invalid argument #1 to 'create' (size out of range)"],
    );
    refused("tonumber()", expect!["test.luau:2: missing argument #1"]);
    refused(
        "utf8.len('a', 9)",
        expect!["test.luau:2: invalid argument #2 to 'len' (initial position out of string)"],
    );
    refused(
        "table.clone(1)",
        expect!["test.luau:2: invalid argument #1 to 'clone' (table expected, got number)"],
    );
}

#[test]
fn functions_that_count_return_what_the_languages_own_return() {
    check(
        "function step()
             print(string.byte('abc'), string.byte('abc', 1, -1), select('#', string.byte('abc', 9)))
             print(('abc'):sub(-2), ('x'):rep(3, nil), ('a,b'):split(',')[2], tonumber('ff', 16))
             print(string.gsub('hello', 'l', {l = 'L'}), string.find('hello', '(l)(l)'))
             print(string.unpack('<i2z', string.pack('<i2z', 515, 'hi')))
             for at, code in utf8.codes('aä') do print(at, code) end
             for word in string.gmatch('one two', '%a+') do print(word) end
             local list = {1, 2, 3}
             table.insert(list, 1, 0)
             print(table.remove(list), table.concat(list, '-'), table.find(list, 2), unpack(list, 2))
             print(#table.create(3, 0), table.clone({a = 1}).a, #table.move(list, 1, 3, 2))
             local long = string.rep('k=v ', 1000)
             local count = 0
             for key, value in string.gmatch(long, '(%w)=(%w)') do count += #key + #value end
             print(count, (string.gsub(long, '%b= ', '')):sub(1, 8))
         end",
        expect!["97	97	0; bc	xxx	b	255; heLLo	3	4	l	l; 515	hi	6; 1	97; 2	228; one; two; 3	0-1-2	3	1	2; 3	1	4; 2000	kkkkkkkk"],
    );
}
