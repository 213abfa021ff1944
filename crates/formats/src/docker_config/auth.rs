//! The `auth` member: `base64(user:password)`, decoded as Go does, with Go's words for what is wrong.

const NOT_A_PAIR: &str = "unable to parse auth field, must be formatted as base64(username:password)";

/// User name and password, or the kubelet's words. Follows `decodeDockerConfigFieldAuth`.
pub(super) fn decode(field: &str) -> Result<(String, Vec<u8>), String> {
    let padded = field.trim_matches(char::is_whitespace).ends_with('=');
    let bytes =
        base64(field.as_bytes(), padded).map_err(|at| format!("illegal base64 data at input byte {at}"))?;
    let Some(colon) = bytes.iter().position(|b| *b == b':') else { return Err(NOT_A_PAIR.to_owned()) };
    let (user, password) = bytes.split_at(colon);
    Ok((String::from_utf8_lossy(user).into_owned(), password.get(1..).unwrap_or_default().to_vec()))
}

/// The standard alphabet, line breaks skipped, padding required or refused. The error is the offset that Go reports.
/// Follows Go `encoding/base64` `decodeQuantum`.
fn base64(input: &[u8], padded: bool) -> Result<Vec<u8>, usize> {
    let is_break = |b: u8| matches!(b, b'\n' | b'\r');
    let mut out = Vec::with_capacity(input.len() / 4 * 3 + 3);
    let mut quantum = [0_u8; 4];
    let (mut filled, mut at) = (0, 0);
    while let Some(&byte) = input.get(at) {
        at += 1;
        if is_break(byte) {
            continue;
        }
        if let Some(value) = sextet(byte) {
            if let Some(slot) = quantum.get_mut(filled) {
                *slot = value;
            }
            filled += 1;
            if filled == 4 {
                emit(quantum, 3, &mut out);
                filled = 0;
            }
            continue;
        }
        if !padded || byte != b'=' || filled < 2 {
            return Err(at - 1);
        }
        if filled == 2 {
            // Two are due: the second follows, line breaks aside.
            while input.get(at).is_some_and(|b| is_break(*b)) {
                at += 1;
            }
            match input.get(at) {
                Some(b'=') => at += 1,
                Some(_) => return Err(at),
                None => return Err(input.len()),
            }
        }
        while input.get(at).is_some_and(|b| is_break(*b)) {
            at += 1;
        }
        if at < input.len() {
            return Err(at);
        }
        emit(quantum, filled - 1, &mut out);
        return Ok(out);
    }
    match filled {
        0 => Ok(out),
        1 => Err(at - 1),
        _ if padded => Err(at - filled),
        _ => {
            for slot in quantum.iter_mut().skip(filled) {
                *slot = 0;
            }
            emit(quantum, filled - 1, &mut out);
            Ok(out)
        }
    }
}

fn emit([a, b, c, d]: [u8; 4], bytes: usize, out: &mut Vec<u8>) {
    let whole = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
    out.extend(whole.iter().take(bytes));
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
