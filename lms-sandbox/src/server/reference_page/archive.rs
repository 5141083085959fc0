//! Reading files from the zip archive of Swagger UI.
//!
//! The archive has each file deflated, with its checksum and its length. A gzip stream has the same in a different format,
//! and browsers accept gzip. Files are therefore converted without inflating them, and sent in a quarter of their size.

/// The signature of the end of the directory.
const END: [u8; 4] = *b"PK\x05\x06";
/// The signature of an entry in the directory.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// The signature of a file.
const FILE: [u8; 4] = *b"PK\x03\x04";
/// The header of a gzip stream without a name and a date.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// The compression method that both formats support.
const DEFLATED: u16 = 8;

/// The file with this end of its path, as a gzip stream; `None` if there is none, or it is not deflated.
pub(super) fn gzip_of(archive: &[u8], path_end: &str) -> Option<Vec<u8>> {
    let end = archive.windows(4).rposition(|window| window == END)?;
    let entries = u16_at(archive, end + 10)?;
    let mut offset = usize::try_from(u32_at(archive, end + 16)?).ok()?;
    for _ in 0..entries {
        if archive.get(offset..offset + 4)? != ENTRY {
            return None;
        }
        let name_length = usize::from(u16_at(archive, offset + 28)?);
        let name = archive.get(offset + 46..offset + 46 + name_length)?;
        if name.ends_with(path_end.as_bytes()) {
            return to_gzip(archive, offset);
        }
        let extra = usize::from(u16_at(archive, offset + 30)?);
        let comment = usize::from(u16_at(archive, offset + 32)?);
        offset += 46 + name_length + extra + comment;
    }
    None
}

/// Converts the file of the entry at `offset`.
fn to_gzip(archive: &[u8], offset: usize) -> Option<Vec<u8>> {
    if u16_at(archive, offset + 10)? != DEFLATED {
        return None;
    }
    let checksum = archive.get(offset + 16..offset + 20)?;
    let length = archive.get(offset + 24..offset + 28)?;
    let deflated_length = usize::try_from(u32_at(archive, offset + 20)?).ok()?;
    let file = usize::try_from(u32_at(archive, offset + 42)?).ok()?;
    if archive.get(file..file + 4)? != FILE {
        return None;
    }
    // Name and extra field are repeated here, the latter with a different length.
    let name = usize::from(u16_at(archive, file + 26)?);
    let extra = usize::from(u16_at(archive, file + 28)?);
    let data = file + 30 + name + extra;
    let deflated = archive.get(data..data + deflated_length)?;
    Some([&GZIP, deflated, checksum, length].concat())
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{GZIP, gzip_of};

    /// A hand-made archive of one file: "hi", deflated, at `dist/a.js`.
    fn archive(method: u8) -> Vec<u8> {
        let deflated = [0xcb, 0xc8, 0x04, 0x00];
        let mut archive = b"PK\x03\x04".to_vec();
        archive.extend([0; 22]);
        archive.extend([9, 0, 2, 0]);
        archive.extend(b"dist/a.js");
        archive.extend([7, 7]);
        archive.extend(deflated);
        let directory = u8::try_from(archive.len()).unwrap();
        archive.extend(b"PK\x01\x02");
        archive.extend([0; 6]);
        archive.extend([method, 0, 0, 0, 0, 0]);
        archive.extend([0xac, 0x2a, 0x93, 0xd8]);
        archive.extend([4, 0, 0, 0, 2, 0, 0, 0, 9, 0]);
        archive.extend([0; 16]);
        archive.extend(b"dist/a.js");
        archive.extend(b"PK\x05\x06");
        archive.extend([0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, directory, 0, 0, 0, 0, 0]);
        archive
    }

    #[test]
    fn a_file_is_converted_to_gzip() {
        let gzip = gzip_of(&archive(8), "/a.js").unwrap();
        let expected = [
            &GZIP[..],
            &[0xcb, 0xc8, 0x04, 0x00],
            &[0xac, 0x2a, 0x93, 0xd8],
            &[2, 0, 0, 0],
        ];
        assert_eq!(gzip, expected.concat());
    }

    #[test]
    fn a_missing_or_stored_file_is_none() {
        assert_eq!(gzip_of(&archive(8), "/b.js"), None);
        assert_eq!(gzip_of(&archive(0), "/a.js"), None);
    }

    #[test]
    fn a_truncated_archive_does_not_panic() {
        let whole = archive(8);
        for length in 0..whole.len() {
            let _ = gzip_of(&whole[..length], "/a.js");
            let _ = gzip_of(&whole[length..], "/a.js");
        }
        assert_eq!(gzip_of(&[], "/a.js"), None);
    }
}
