//! Buffers and what accessors make of them, every access checked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Image, Root, buffer};

use super::super::neighbours::Neighbours;
use super::super::{Fault, MAX_FILE_BYTES, MAX_TRIANGLES};
use super::malformed;

/// Most items of an accessor: three corners for each triangle.
const MAX_ITEMS: u64 = 3 * MAX_TRIANGLES;

/// The buffers of a file, read when they are first needed.
pub(super) struct Buffers<'a> {
    root: &'a Root,
    binary: Option<&'a [u8]>,
    files: &'a Neighbours,
    read: BTreeMap<usize, Cow<'a, [u8]>>,
    /// Bytes that buffers may still take.
    left: u64,
}

/// Where the bytes of a view lie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Extent {
    /// Number of the buffer.
    buffer: usize,
    start: u64,
    length: u64,
}

/// Where the items of an accessor lie.
struct Layout<'b> {
    bytes: &'b [u8],
    kind: ComponentType,
    /// Bytes from one item to the next.
    stride: usize,
    count: usize,
    normalized: bool,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(root: &'a Root, binary: Option<&'a [u8]>, files: &'a Neighbours) -> Self {
        Self { root, binary, files, read: BTreeMap::new(), left: MAX_FILE_BYTES }
    }

    /// Returns how many items an accessor claims.
    pub(super) fn count(&self, accessor: usize) -> Result<u64, Fault> {
        Ok(self.accessor(accessor)?.count.0)
    }

    /// Reads an accessor as items of `N` finite numbers.
    pub(super) fn floats<const N: usize>(&mut self, index: usize) -> Result<Vec<[f32; N]>, Fault> {
        let accessor = self.accessor(index)?;
        let (kind, count) = shape(accessor, N)?;
        let mut items = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or_default().0;
                let layout = self.layout(view.value(), offset, (kind, N), count)?;
                numbers(&Layout { normalized: accessor.normalized, ..layout })
            }
            None => vec![[0.0; N]; count],
        };
        if let Some(sparse) = &accessor.sparse {
            let changes = usize::try_from(sparse.count.0).unwrap_or(usize::MAX).min(count);
            let (view, offset) = (sparse.values.buffer_view.value(), sparse.values.byte_offset.0);
            let layout = self.layout(view, offset, (kind, N), changes)?;
            let values = numbers::<N>(&Layout { normalized: accessor.normalized, ..layout });
            let Checked::Valid(index_kind) = sparse.indices.component_type else {
                return malformed("a sparse accessor has bad indices");
            };
            let (view, offset) = (sparse.indices.buffer_view.value(), sparse.indices.byte_offset.0);
            let places = integers(&self.layout(view, offset, (index_kind.0, 1), changes)?);
            for (place, value) in places.into_iter().zip(values) {
                match items.get_mut(place as usize) {
                    Some(item) => *item = value,
                    None => return malformed("a sparse accessor changes an item out of range"),
                }
            }
        }
        match items.iter().flatten().all(|number| number.is_finite()) {
            true => Ok(items),
            false => malformed(format!("accessor {index} has a number that is not finite")),
        }
    }

    /// Reads an accessor as indices.
    pub(super) fn indices(&mut self, index: usize) -> Result<Vec<u32>, Fault> {
        let accessor = self.accessor(index)?;
        let (kind, count) = shape(accessor, 1)?;
        let whole = matches!(kind, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        let Some(view) = accessor.buffer_view.filter(|_| whole && accessor.sparse.is_none()) else {
            return malformed(format!("accessor {index} holds no indices"));
        };
        let offset = accessor.byte_offset.unwrap_or_default().0;
        Ok(integers(&self.layout(view.value(), offset, (kind, 1), count)?))
    }

    /// Returns the image of a texture and its number.
    pub(super) fn image_of(&self, texture: usize) -> Option<(usize, &'a Image)> {
        let number = self.root.textures.get(texture)?.source.value();
        Some((number, self.root.images.get(number)?))
    }

    /// Returns where a view lies.
    pub(super) fn extent(&self, index: usize) -> Result<Extent, Fault> {
        let Some(view) = self.root.buffer_views.get(index) else {
            return malformed(format!("there is no buffer view {index}"));
        };
        let start = view.byte_offset.unwrap_or_default().0;
        Ok(Extent { buffer: view.buffer.value(), start, length: view.byte_length.0 })
    }

    /// Returns the bytes of a view.
    pub(super) fn view(&mut self, index: usize) -> Result<&[u8], Fault> {
        let Extent { buffer, start, length } = self.extent(index)?;
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let buffer = self.buffer(buffer)?;
        let held = buffer.len();
        let bytes = buffer.get(start..).and_then(|rest| rest.get(..length));
        bytes.ok_or_else(|| {
            let what = format!("buffer view {index} reaches past the {held} bytes of its buffer");
            Fault::Malformed(what)
        })
    }

    fn accessor(&self, index: usize) -> Result<&'a Accessor, Fault> {
        let missing = || Fault::Malformed(format!("there is no accessor {index}"));
        self.root.accessors.get(index).ok_or_else(missing)
    }

    fn layout(
        &mut self,
        view: usize,
        offset: u64,
        (kind, components): (ComponentType, usize),
        count: usize,
    ) -> Result<Layout<'_>, Fault> {
        let item = kind.size() * components;
        let stride = self.root.buffer_views.get(view).and_then(|view| view.byte_stride);
        let stride = stride.map_or(item, |stride: buffer::Stride| stride.0);
        let bytes = self.view(view)?;
        let held = bytes.len();
        let bytes = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
        let bytes = bytes.unwrap_or_default();
        // The last item needs no more than itself.
        let needed = count.saturating_sub(1).checked_mul(stride).map(|length| length + item);
        if stride < item || needed.is_none_or(|needed| needed > bytes.len() && count > 0) {
            return malformed(format!(
                "{count} items do not fit into the {held} bytes of their view"
            ));
        }
        Ok(Layout { bytes, kind, stride, count, normalized: false })
    }

    fn buffer(&mut self, index: usize) -> Result<&[u8], Fault> {
        if !self.read.contains_key(&index) {
            let bytes = self.load(index)?;
            self.left = self.left.saturating_sub(bytes.len() as u64);
            self.read.insert(index, bytes);
        }
        Ok(self.read.get(&index).map(|bytes| &**bytes).unwrap_or_default())
    }

    fn load(&self, index: usize) -> Result<Cow<'a, [u8]>, Fault> {
        let Some(buffer) = self.root.buffers.get(index) else {
            return malformed(format!("there is no buffer {index}"));
        };
        match (&buffer.uri, self.binary) {
            (None, Some(binary)) if index == 0 => Ok(Cow::Borrowed(binary)),
            (None, _) => malformed(format!("buffer {index} has no data")),
            (Some(uri), _) => match inline(uri, self.left)? {
                Some(bytes) => Ok(Cow::Owned(bytes)),
                None => self.files.read_own(uri, self.left).map(Cow::Owned),
            },
        }
    }
}

/// Decodes a `data:` address; none when it is another one.
pub(super) fn inline(uri: &str, limit: u64) -> Result<Option<Vec<u8>>, Fault> {
    let Some(rest) = uri.strip_prefix("data:") else { return Ok(None) };
    let Some((_, text)) = rest.split_once(";base64,") else {
        return malformed("a data: address is not in base64");
    };
    if text.len() as u64 / 4 * 3 > limit {
        return malformed(format!(
            "the data in addresses is more than the limit of {MAX_FILE_BYTES}"
        ));
    }
    match STANDARD.decode(text.trim_end()) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) => malformed(format!("a data: address is damaged: {error}")),
    }
}

/// Checks that an accessor has items of `components` numbers, and not too many.
fn shape(accessor: &Accessor, components: usize) -> Result<(ComponentType, usize), Fault> {
    let (Checked::Valid(kind), Checked::Valid(items)) = (accessor.component_type, accessor.type_)
    else {
        return malformed("an accessor has a type that is not known");
    };
    let held = match items {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    };
    if held != components {
        return malformed(format!(
            "an accessor has {held} numbers an item instead of {components}"
        ));
    }
    match usize::try_from(accessor.count.0) {
        Ok(count) if accessor.count.0 <= MAX_ITEMS => Ok((kind.0, count)),
        _ => malformed(format!("an accessor claims {} items, past {MAX_ITEMS}", accessor.count.0)),
    }
}

fn numbers<const N: usize>(layout: &Layout<'_>) -> Vec<[f32; N]> {
    let size = layout.kind.size();
    let read = |item: usize| {
        let mut numbers = [0.0; N];
        for (place, number) in numbers.iter_mut().enumerate() {
            let raw = float(layout.kind, &layout.bytes[item * layout.stride + place * size..]);
            *number = if layout.normalized { raw / full_scale(layout.kind) } else { raw };
        }
        numbers
    };
    (0..layout.count).map(read).collect()
}

fn integers(layout: &Layout<'_>) -> Vec<u32> {
    let read = |item: usize| integer(layout.kind, &layout.bytes[item * layout.stride..]);
    (0..layout.count).map(read).collect()
}

/// Reads a number at the start of bytes that [`Buffers::layout`] has measured.
fn float(kind: ComponentType, bytes: &[u8]) -> f32 {
    match kind {
        ComponentType::I8 => f32::from(bytes[0] as i8),
        ComponentType::U8 => f32::from(bytes[0]),
        ComponentType::I16 => f32::from(i16::from_le_bytes([bytes[0], bytes[1]])),
        ComponentType::U16 => f32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        ComponentType::U32 => integer(kind, bytes) as f32,
        ComponentType::F32 => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
    }
}

fn integer(kind: ComponentType, bytes: &[u8]) -> u32 {
    match kind.size() {
        1 => u32::from(bytes[0]),
        2 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
    }
}

fn full_scale(kind: ComponentType) -> f32 {
    match kind {
        ComponentType::I8 => f32::from(i8::MAX),
        ComponentType::U8 => f32::from(u8::MAX),
        ComponentType::I16 => f32::from(i16::MAX),
        ComponentType::U16 => f32::from(u16::MAX),
        ComponentType::U32 | ComponentType::F32 => 1.0,
    }
}
