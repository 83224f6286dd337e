//! Saved games as bytes: the world, the minds, and a checksum over both.

use twox_hash::XxHash3_64;

/// The bytes of a saved game, which begin with `magic`.
pub(crate) fn packed(magic: &[u8], world: &[u8], minds: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend((world.len() as u64).to_le_bytes());
    bytes.extend(world);
    bytes.extend(minds);
    bytes.extend(XxHash3_64::oneshot(&bytes).to_le_bytes());
    bytes
}

/// The world and the minds of a saved game.
pub(crate) fn unpacked<'b>(
    magic: &[u8],
    bytes: &'b [u8],
) -> Result<(&'b [u8], &'b [u8]), &'static str> {
    let cut = "the saved game is cut off";
    let Some(rest) = bytes.strip_prefix(magic) else {
        return Err("this is not a saved game of this version of the arena");
    };
    let (sound, checksum) = bytes.split_last_chunk::<8>().ok_or(cut)?;
    if XxHash3_64::oneshot(sound).to_le_bytes() != *checksum {
        return Err("the saved game is damaged: its checksum does not fit its content");
    }
    let rest = rest.get(..rest.len().saturating_sub(8)).ok_or(cut)?;
    let (length, rest) = rest.split_first_chunk::<8>().ok_or(cut)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut)?;
    rest.split_at_checked(length).ok_or(cut)
}
