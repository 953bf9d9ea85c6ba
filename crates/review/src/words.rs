//! Words of everyday English that are written with a capital and name nobody. Those of a field are in its
//! [`Vocabulary`](super::Vocabulary).

/// Whether a word only holds a sentence together. In a name it proves nothing.
pub(super) fn is_function(word: &str) -> bool {
    has(FUNCTION, word)
}

/// Whether a word says something, but is no name.
pub(super) fn is_common(word: &str) -> bool {
    is_general(word) || has(STATES, word)
}

/// Whether a word is of the kind that an answer without content is made of, too.
pub(super) fn is_general(word: &str) -> bool {
    has(FUNCTION, word) || has(DAYS, word) || has(THINGS, word) || has(WORLD, word)
}

/// Whether a word is a weekday.
pub(super) fn is_weekday(word: &str) -> bool {
    has(DAYS, word)
}

/// Whether lines are in English. Only there does a capital tell a name from a word: German writes every
/// noun with one, and which words are common is known in English only.
///
/// More words that only English has than words that only others have say so, and hardly a letter of
/// another script.
pub(super) fn is_english<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    const OTHER: usize = 4;
    let (mut english, mut others, mut latin, mut foreign) = (0_usize, 0_usize, 0_usize, 0_usize);
    for line in lines {
        let letters = line.chars().filter(|c| c.is_alphabetic());
        for c in letters {
            *if c < LATIN_END { &mut latin } else { &mut foreign } += 1;
        }
        let words = line.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '’')));
        for word in words.filter(|word| !word.is_empty()) {
            let owns = word.ends_with("'s") || word.ends_with("’s");
            english += usize::from(owns || has(ENGLISH, word));
            others += usize::from(has(OTHERS, word));
        }
    }
    english > others && foreign * OTHER <= latin
}

/// The letters before this one are Latin.
const LATIN_END: char = '\u{370}';

/// Words that hold English sentences together, and no others.
const ENGLISH: &str = "
    wrote written made said says see shows showed found founded watched called named gave took costs
    is returned returns gained lost rises falls rose fell opened closed closes trades traded runs uses works lives
    the and are were been being have has having this that these those with from your you you're
    you've it it's its they their them which what who whose where when there there's would should
    could not isn't doesn't don't can't based according than then because while but she his of by
    after before both each other about into through i've we our more most only just here how why if
    did does";

/// Words that hold sentences together in other languages, and are none in English.
const OTHERS: &str = "
    der die das und ist nicht für mit von ein eine einen einem bei auf liegt wurde sind du hast ich
    sie wir ihr zu zum zur den dem des im am vom haben hat sein als auch aus nach über bis noch nur
    oder aber wie etwa insgesamt le la les et est une dans pour sur avec vous avez il elle au aux ce
    cette que qui pas plus sont ont été à en environ el los las y es del con por para una un su sus
    se ha al lo más son está están gli di che è e della delle dei nel nella hai sono più da o os é
    dos em um uma com não você foi são ao na mais de het een van niet met voor op je hebt zijn door
    aan bij uit ook naar maar och att det är som ett på av för med har inte till om från w z nie
    jest się że są masz oraz od przez po za ve bir bu için ile toplam olarak çok daha og er af ikke
    til fra";

fn has(list: &str, word: &str) -> bool {
    is_listed(&word.to_lowercase(), list)
}

/// Whether a word in lower case is one of a list.
pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == word)
}

const FUNCTION: &str = "
    a about above according additionally after all along also although am among an and another any
    are as at based be because been before below besides between both but by can cannot compared
    could currently despite did do does don't during each either even every finally first following
    for from further furthermore given had has have having he hence her here here's hers him his how
    however i i'd i'll i'm i've if in instead into is isn't it it's its just last lastly let let's
    like likely looking many may maybe me might more moreover most much must my near neither
    nevertheless next no none nor not note now of off on once one only or other others otherwise our
    out over overall per perhaps please probably rather regarding same second secondly several shall
    she should similarly since so some still such sure than thank thanks that that's the their them
    then there there's therefore these they third this those though through throughout thus to
    together too two under unfortunately unless until up upon us very via was we well were what
    what's when where whether which while who whom whose why will with within without would yes yet
    you you're your yours";

const DAYS: &str = "
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat
    sun today tomorrow yesterday tonight";

const THINGS: &str = "
    access account actual additional address advice afternoon agenda alert amount analysis answer
    api approximate area ask author available average balance basic best bill body booking
    bookings breakdown budget buy calculation call calories capital carbs case category caution
    change check city click close closing code comment comments comparison condition conditions
    contact context cost count country created currency current customer customers daily data
    database date day days decline delivery department depth description detail details difference
    director disclaimer discount distance down due duration early email entry error errors
    estimate estimated evening event exact example exit expected expense expenses face fair fat
    feel figure figures file final flight flights found future gain game games general goals good
    great growth guest guests hello help hi high higher highest highlight highlights historical
    history hold hotel hotels hour hours id important income info information insight insights
    interest invoice issue issues item items job key kind known label labels late latest league
    length level levels limit link list live loan location log logs long loss low lower lowest
    main mark match maximum mean medium meeting meetings member members memory message method
    metric minimum minute minutes month monthly morning movement moving name net new news night
    nights notes number observation observations offer office ok okay old opening option options
    order orders outlook overview parcel path pattern pay payment percent percentage performance
    period person place plan point points policy position previous price prices pro product
    products profit project projects protein published put quantity query question quick range
    rank rate rating ratings ratio reason recent recommendation recommendations record reference
    refund refunds relative release relevance remaining remember reminder report request requests
    response result results return returns revenue revenues review rise risk risks role room rose
    route runtime sales score search sell server service services serving share shipping short
    side signal signals simple size source sources speed standard standings stars start started
    state statistics status step steps stop strength successful successfully summary support
    symbol system table takeaway takeaways target task tax team term terms test ticket time
    timestamp tip tips title titles tool tools top topic topics total totals tracking traffic
    transaction trend trends type units update updated upper usage user value values version
    volume wait warning week weekly weeks wins work year yearly years zone";

const STATES: &str = "
    calm cancelled clear closed cold complete completed confirmed cool declined done hot light
    moderate negative neutral open pending placed positive stable strong warm weak wet";

const WORLD: &str = "
    african american asia asian australian british canadian celsius chinese christmas coordinated
    dollar dollars dutch earth eastern english euro europe european euros fahrenheit french german
    global greenwich hindi indian internet italian japanese kelvin latin northern pacific pound
    rupee rupees russian southern spanish swiss universal utc western wi-fi world yen";
