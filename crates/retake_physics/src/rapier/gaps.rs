//! Writing a set of colliders without the shapes that are found elsewhere.
//!
//! The library writes the triangles of a mesh once for each collider that has it, which can be a
//! hundred megabytes. Here it writes nothing in their place, and it is noted where that is; whoever
//! reads puts the bytes of the shape there and lets the library read on as ever.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Read, Write};

use rapier3d_f64::prelude::ColliderSet;
use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeStruct, SerializeStructVariant, Serializer};

use crate::EngineError;

/// What the library calls the shape of a collider when it writes one.
const SHAPE: &str = "TypedShape";

/// Writes colliders; `is_left_out` says for each, in the order of the set, whether its shape is.
///
/// Returns where in `bytes` the shapes that were left out belong.
pub(super) fn write(
    colliders: &ColliderSet,
    is_left_out: &[bool],
    bytes: &mut Vec<u8>,
) -> Result<Vec<u64>, EngineError> {
    let written = Cell::new(0);
    let gaps =
        Gaps { is_left_out, seen: Cell::new(0), written: &written, found: RefCell::default() };
    // Of the same type as everywhere, so that the library's code for it is compiled only once.
    let mut counted = Counted { bytes, written: &written };
    let mut sink: &mut dyn Write = &mut counted;
    let mut inner = rmp_serde::Serializer::new(&mut sink);
    colliders
        .serialize(Gapped { inner: &mut inner, gaps: &gaps })
        .map_err(|error| EngineError::Encode { reason: error.to_string() })?;
    if gaps.seen.get() != is_left_out.len() {
        let reason = "the library writes shapes in another way than is known here".to_owned();
        return Err(EngineError::Encode { reason });
    }
    Ok(gaps.found.into_inner())
}

/// Several stretches of bytes, read as one.
pub(super) struct Spliced<'a>(pub(super) VecDeque<&'a [u8]>);

impl Read for Spliced<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(part) = self.0.front_mut() {
            if part.is_empty() {
                self.0.pop_front();
                continue;
            }
            return part.read(into);
        }
        Ok(0)
    }
}

/// Counts what is written.
struct Counted<'a> {
    bytes: &'a mut Vec<u8>,
    written: &'a Cell<u64>,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        self.written.set(self.written.get() + bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where shapes are left out.
struct Gaps<'a> {
    is_left_out: &'a [bool],
    /// Colliders whose shape was met.
    seen: Cell<usize>,
    written: &'a Cell<u64>,
    found: RefCell<Vec<u64>>,
}

impl Gaps<'_> {
    /// Takes note of the next shape, and says whether it is left out.
    fn leaves_out_next(&self) -> bool {
        let at = self.seen.replace(self.seen.get() + 1);
        let left_out = self.is_left_out.get(at).copied().unwrap_or(false);
        if left_out {
            self.found.borrow_mut().push(self.written.get());
        }
        left_out
    }
}

/// A serialiser that leaves shapes out, on the way from the set down to them.
struct Gapped<'g, S> {
    inner: S,
    gaps: &'g Gaps<'g>,
}

/// A value below, to be written in the same way.
struct Below<'g, T: ?Sized> {
    value: &'g T,
    gaps: &'g Gaps<'g>,
}

impl<T: Serialize + ?Sized> Serialize for Below<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Gapped { inner: serializer, gaps: self.gaps })
    }
}

macro_rules! pass_on {
    ($($method:ident($($name:ident: $kind:ty),*) -> $out:ty;)*) => {$(
        fn $method(self, $($name: $kind),*) -> Result<$out, S::Error> {
            self.inner.$method($($name),*)
        }
    )*};
}

impl<'g, S: Serializer> Serializer for Gapped<'g, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Gapped<'g, S::SerializeSeq>;
    type SerializeTuple = S::SerializeTuple;
    type SerializeTupleStruct = S::SerializeTupleStruct;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = S::SerializeMap;
    type SerializeStruct = Gapped<'g, S::SerializeStruct>;
    type SerializeStructVariant = Gapped<'g, S::SerializeStructVariant>;

    pass_on! {
        serialize_bool(value: bool) -> S::Ok;
        serialize_i8(value: i8) -> S::Ok;
        serialize_i16(value: i16) -> S::Ok;
        serialize_i32(value: i32) -> S::Ok;
        serialize_i64(value: i64) -> S::Ok;
        serialize_i128(value: i128) -> S::Ok;
        serialize_u8(value: u8) -> S::Ok;
        serialize_u16(value: u16) -> S::Ok;
        serialize_u32(value: u32) -> S::Ok;
        serialize_u64(value: u64) -> S::Ok;
        serialize_u128(value: u128) -> S::Ok;
        serialize_f32(value: f32) -> S::Ok;
        serialize_f64(value: f64) -> S::Ok;
        serialize_char(value: char) -> S::Ok;
        serialize_str(value: &str) -> S::Ok;
        serialize_bytes(value: &[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(name: &'static str) -> S::Ok;
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> S::Ok;
        serialize_tuple(len: usize) -> S::SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> S::SerializeTupleStruct;
        serialize_tuple_variant(
            name: &'static str, index: u32, variant: &'static str, len: usize
        ) -> S::SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> S::SerializeMap;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        if name == SHAPE && self.gaps.leaves_out_next() {
            // One byte; a serialiser must write something.
            return self.inner.serialize_unit();
        }
        self.inner.serialize_newtype_variant(name, index, variant, value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Ok(Gapped { inner: self.inner.serialize_seq(len)?, gaps: self.gaps })
    }

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        Ok(Gapped { inner: self.inner.serialize_struct(name, len)?, gaps: self.gaps })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let inner = self.inner.serialize_struct_variant(name, index, variant, len)?;
        Ok(Gapped { inner, gaps: self.gaps })
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

impl<S: SerializeSeq> SerializeSeq for Gapped<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_element(&Below { value, gaps: self.gaps })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

impl<S: SerializeStruct> SerializeStruct for Gapped<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.inner.serialize_field(key, &Below { value, gaps: self.gaps })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

impl<S: SerializeStructVariant> SerializeStructVariant for Gapped<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.inner.serialize_field(key, &Below { value, gaps: self.gaps })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}
