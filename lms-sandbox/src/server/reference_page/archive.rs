//! How are files taken out of the archive that Swagger UI comes in?
//!
//! The archive keeps each file deflated, with its checksum and its length beside it. That is all that a gzip stream
//! holds, in another frame, and browsers take gzip. So nothing is inflated: a file changes its frame, and is sent
//! in a quarter of its size.

/// Marks the end of the archive's directory.
const END: [u8; 4] = *b"PK\x05\x06";
/// Marks an entry in the directory.
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// Marks a file.
const FILE: [u8; 4] = *b"PK\x03\x04";
/// What a gzip stream of no name and no date begins with.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// The one way of compressing that both frames know.
const DEFLATED: u16 = 8;

/// The file whose path ends so, as a gzip stream; `None` when there is none, or it is not deflated.
pub(super) fn gzip_of(archive: &[u8], path_end: &str) -> Option<Vec<u8>> {
    let end = archive.windows(4).rposition(|window| window == END)?;
    let entries = u16_at(archive, end + 10)?;
    let mut place = usize::try_from(u32_at(archive, end + 16)?).ok()?;
    for _ in 0..entries {
        if archive.get(place..place + 4)? != ENTRY {
            return None;
        }
        let name_length = usize::from(u16_at(archive, place + 28)?);
        let name = archive.get(place + 46..place + 46 + name_length)?;
        if name.ends_with(path_end.as_bytes()) {
            return in_gzip(archive, place);
        }
        let extra = usize::from(u16_at(archive, place + 30)?);
        let comment = usize::from(u16_at(archive, place + 32)?);
        place += 46 + name_length + extra + comment;
    }
    None
}

/// Puts the file of the entry at `place` into another frame.
fn in_gzip(archive: &[u8], place: usize) -> Option<Vec<u8>> {
    if u16_at(archive, place + 10)? != DEFLATED {
        return None;
    }
    let checksum = archive.get(place + 16..place + 20)?;
    let length = archive.get(place + 24..place + 28)?;
    let deflated_length = usize::try_from(u32_at(archive, place + 20)?).ok()?;
    let file = usize::try_from(u32_at(archive, place + 42)?).ok()?;
    if archive.get(file..file + 4)? != FILE {
        return None;
    }
    // Name and extra field stand here once more, the latter with another length.
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

    /// An archive of one file, made by hand: "hi", deflated, at `dist/a.js`.
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
    fn a_file_changes_its_frame_and_not_its_content() {
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
    fn a_file_that_is_not_there_or_not_deflated_is_none() {
        assert_eq!(gzip_of(&archive(8), "/b.js"), None);
        assert_eq!(gzip_of(&archive(0), "/a.js"), None);
    }

    #[test]
    fn an_archive_that_is_cut_off_is_none_and_no_panic() {
        let whole = archive(8);
        for length in 0..whole.len() {
            let _ = gzip_of(&whole[..length], "/a.js");
            let _ = gzip_of(&whole[length..], "/a.js");
        }
        assert_eq!(gzip_of(&[], "/a.js"), None);
    }
}
