//! The stemmer of ROUGE-1.5.5 without its irregular forms: `porter_variant` of
//! `core/text/rouge_stemmer.py`, letter by letter.

const SHORTEST: usize = 3;

const STEP_2: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];
const STEP_3: [(&str, &str); 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];
const STEP_4: [(&str, &str); 16] = [
    ("al", ""),
    ("ance", ""),
    ("ence", ""),
    ("er", ""),
    ("ic", ""),
    ("able", ""),
    ("ible", ""),
    ("ant", ""),
    ("ement", ""),
    ("ou", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
];

/// Makes of a word of ASCII its stem.
pub fn stem(word: &mut Vec<u8>) {
    if word.len() < SHORTEST {
        return;
    }
    let begins_with_y = word[0] == b'y';
    if begins_with_y {
        word[0] = b'Y';
    }
    step_1(word);
    replace(word, &STEP_2, |stem| measure(stem).over_0);
    replace(word, &STEP_3, |stem| measure(stem).over_0);
    step_4(word);
    step_5(word);
    if begins_with_y {
        word[0] = b'y';
    }
}

fn step_1(word: &mut Vec<u8>) {
    let n = word.len();
    if word.ends_with(b"sses") || word.ends_with(b"ies") {
        word.truncate(n - 2);
    } else if word[n - 1] == b's' && word[n - 2] != b's' {
        word.truncate(n - 1);
    }
    let n = word.len();
    if word.ends_with(b"eed") {
        if measure(&word[..n - 3]).over_0 {
            word.truncate(n - 1);
        }
    } else if word.ends_with(b"ed") || word.ends_with(b"ing") {
        let left = if word[n - 1] == b'd' { n - 2 } else { n - 3 };
        if measure(&word[..left]).has_vowel {
            word.truncate(left);
            mend(word);
        }
    }
    if word.ends_with(b"y") && measure(&word[..word.len() - 1]).has_vowel {
        *word.last_mut().expect("it ends with y") = b'i';
    }
}

/// Makes of what is left of a word without its -ed or -ing how its verb is written.
fn mend(stem: &mut Vec<u8>) {
    let n = stem.len();
    if stem.ends_with(b"at") || stem.ends_with(b"bl") || stem.ends_with(b"iz") {
        stem.push(b'e');
    } else if n >= 2 && stem[n - 1] == stem[n - 2] && !b"aeiouylsz".contains(&stem[n - 1]) {
        stem.pop();
    } else if is_short(stem) {
        stem.push(b'e');
    }
}

/// Exchanges the longest of the suffixes that the word has, if enough is left before it.
fn replace(word: &mut Vec<u8>, table: &[(&str, &str)], is_enough: impl Fn(&[u8]) -> bool) {
    let found = table
        .iter()
        .filter(|(suffix, _)| word.ends_with(suffix.as_bytes()))
        .max_by_key(|(suffix, _)| suffix.len());
    if let Some((suffix, other)) = found {
        let left = word.len() - suffix.len();
        if is_enough(&word[..left]) {
            word.truncate(left);
            word.extend_from_slice(other.as_bytes());
        }
    }
}

fn step_4(word: &mut Vec<u8>) {
    replace(word, &STEP_4, |stem| measure(stem).over_1);
    if word.ends_with(b"ment") {
        shorten(word, 4);
    }
    if word.ends_with(b"ent") || word.ends_with(b"sion") || word.ends_with(b"tion") {
        shorten(word, 3);
    }
}

fn shorten(word: &mut Vec<u8>, n_letters: usize) {
    let left = word.len() - n_letters;
    if measure(&word[..left]).over_1 {
        word.truncate(left);
    }
}

fn step_5(word: &mut Vec<u8>) {
    if word.ends_with(b"e") {
        let stem = &word[..word.len() - 1];
        let of_stem = measure(stem);
        if of_stem.over_1 || (of_stem.is_1 && !is_short(stem)) {
            word.pop();
        }
    }
    if word.ends_with(b"ll") && measure(word).over_1 {
        word.pop();
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Letter {
    Vowel,
    Y,
    Consonant,
}

fn letter(byte: u8) -> Letter {
    match byte {
        b'a' | b'e' | b'i' | b'o' | b'u' => Letter::Vowel,
        b'y' => Letter::Y,
        _ => Letter::Consonant,
    }
}

/// How many changes from vowels to consonants there are, as far as anybody asks.
struct Measure {
    has_vowel: bool,
    over_0: bool,
    is_1: bool,
    over_1: bool,
}

/// Follows all readings of `[C] V C V C` at once: a `y` may begin both, and goes on neither.
fn measure(word: &[u8]) -> Measure {
    const START: u8 = 1;
    const FIRST_C: u8 = 2;
    const V: u8 = 4;
    const C: u8 = 8;
    const SECOND_V: u8 = 16;
    const SECOND_C: u8 = 32;
    let (mut now, mut ever) = (START, START);
    for &byte in word {
        let kind = letter(byte);
        let mut next = 0;
        if kind != Letter::Vowel {
            next |= (now & START) << 1 | (now & (V | SECOND_V)) << 1;
        }
        if kind != Letter::Consonant {
            next |= (now & START) << 2 | (now & (FIRST_C | C)) << 1;
        }
        next |= match kind {
            Letter::Consonant => now & (FIRST_C | C),
            Letter::Vowel => now & (V | SECOND_V),
            Letter::Y => 0,
        };
        now = next;
        ever |= now;
    }
    Measure {
        has_vowel: ever & V != 0,
        over_0: ever & C != 0,
        is_1: now & (C | SECOND_V) != 0,
        over_1: ever & SECOND_C != 0,
    }
}

/// Whether a word is consonants, one vowel and one consonant other than w, x and y.
fn is_short(word: &[u8]) -> bool {
    let n = word.len();
    n >= 3
        && letter(word[n - 1]) == Letter::Consonant
        && !b"wx".contains(&word[n - 1])
        && letter(word[n - 2]) != Letter::Consonant
        && letter(word[0]) != Letter::Vowel
        && word[1..n - 2].iter().all(|&byte| letter(byte) == Letter::Consonant)
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stems_are_the_programs() {
        for (word, expected) in [
            ("agreement", "agreem"),
            ("instrument", "instrum"),
            ("replacement", "replac"),
            ("hopping", "hop"),
            ("hoping", "hope"),
            ("skies", "ski"),
            ("relational", "relat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("controll", "control"),
            ("sky", "sky"),
            ("happy", "happi"),
            ("ing", "ing"),
            ("as", "as"),
            ("yes", "ye"),
        ] {
            let mut letters = word.as_bytes().to_vec();
            stem(&mut letters);
            assert_eq!(letters, expected.as_bytes(), "{word}");
        }
    }
}
