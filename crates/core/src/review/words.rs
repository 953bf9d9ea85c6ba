//! Words that are written with a capital and name nobody.

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

/// Whether lines are in a language that writes every noun with a capital.
pub(super) fn capitalises_nouns<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    const GERMAN: &str = "der die das und ist nicht für mit von ein eine bei auf liegt wurde sind";
    const ENOUGH: usize = 2;
    let words = lines.flat_map(str::split_whitespace);
    words.filter(|word| GERMAN.split(' ').any(|it| it == *word)).take(ENOUGH).count() == ENOUGH
}

fn has(list: &str, word: &str) -> bool {
    let lower = word.to_lowercase();
    list.split_ascii_whitespace().any(|it| it == lower)
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
    access account actual additional address advice afternoon alert amount analysis answer api
    approximate area ask available average balance best bid bill body breakdown buy calculation cap
    capital case category caution change channel city clearing click close closing code comparison
    condition conditions contact context cost count country currency current daily data date day
    days decline depth description detail details difference disclaimer discount down due duration
    early email episode equity error estimate estimated evening event exact example exchange
    expected expiry fair feel feels figure figures file final flight folder forecast found fund
    funds future futures gain gainer gainers general good great growth hello help hi high higher
    highest highlight highlights history hold holding holdings hour hours humidity id important
    index indices info information insight insights instrument intraday investment item items job
    key kind known late latest length level levels limit link list live location long loser losers
    loss low lower lowest main margin mark market markets maximum mean medium message method metric
    minimum minute minutes momentum month monthly morning movement moving name net new news night
    notes number observation observations offer ok okay old opening option options order orders
    outlook overview pattern pay payment percent percentage performance period person place point
    points portfolio position positions precipitation previous price prices pro product profit
    published quantity query question quick quote range rank rate rating ratio reason recent
    recommendation recommendations record reference relevance remaining remember reminder report
    request resistance response result results return returns review rise risk risks role room rose
    score search sector security segment sell sentiment session share shares short side signal
    signals size sky source sources start started state statistics status step steps stock stocks
    stop storm strength strike successful successfully summary sunrise sunset support symbol system
    takeaway takeaways target task tax team temperature term terms test ticket time timestamp tip
    tips title titles tool tools top topic topics total totals trade traded trading transaction
    trend trends type update updated upper user value values version video videos view views
    visibility volatility volume wait warning watch watched weather week weekly weeks wind winds
    work year yearly years yield zone";

const STATES: &str = "
    bearish bullish calm cancelled clear closed cloudy cold complete completed confirmed cool
    declined done hot humid light moderate negative neutral open partly pending placed positive rain
    rainy snow snowy stable strong sunny volatile warm weak wet windy";

const WORLD: &str = "
    african american asia asian australian british canadian celsius chinese christmas coordinated
    dollar dollars dutch earth eastern english euro europe european euros fahrenheit french german
    global greenwich hindi indian internet italian japanese kelvin latin northern pacific pound
    rupee rupees russian southern spanish swiss universal utc western wi-fi world yen";
