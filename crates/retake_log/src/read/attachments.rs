//! Files in a log.

use mcap::records::{Record, op};

use crate::record::{AttachmentHead, RECORD_HEAD, RecordHead};

/// A file in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentInfo {
    /// Its name.
    pub name: String,
    /// Its kind, as in HTTP.
    pub media_type: String,
    /// Its bytes.
    pub bytes: u64,
    /// Place of the record and its length.
    pub(crate) place: (u64, u64),
}

/// Returns the bytes of an attachment when its record is sound and its checksum right.
pub(super) fn attachment_in(record: &[u8], name: &str) -> Option<Vec<u8>> {
    let head = RecordHead::parse(record).filter(|head| head.opcode == op::ATTACHMENT)?;
    let body = record.get(RECORD_HEAD as usize..)?;
    // The parser takes the sizes at their word, so they are compared before.
    let sound = head.length == body.len() as u64
        && AttachmentHead::parse(body).is_some_and(|found| found.fits(head.length));
    if !sound {
        return None;
    }
    match mcap::parse_record(op::ATTACHMENT, body).ok()? {
        Record::Attachment { header, data, .. } => (header.name == name).then(|| data.into_owned()),
        _ => None,
    }
}
