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
    access account actual additional address advice afternoon agenda album alert allocation amount
    analysis answer api approximate area artist ask asset assets author available average balance
    basic best bid bill body booking bookings branch breakdown budget build buy calculation call
    calories cap capital carbs case category caution change channel check city clearing click close
    closing code comment comments commit comparison condition conditions contact context cost count
    country created currency current customer customers daily data database date day days debt
    decline delivery delta department deploy deployment depth description detail details difference
    director disclaimer discount disk distance dividend dividends down due duration early earnings
    email entry episode equity error errors estimate estimated evening event exact example exchange
    exit expected expense expenses expiry exponential exposure face fair fat feel feels figure
    figures file film final flight flights folder forecast found fund funds future futures gain
    gainer gainers game games gamma general genre goals good great greeks growth guest guests hello
    help hi high higher highest highlight highlights historical history hold holding holdings hotel
    hotels hour hours humidity id implied important income index indices info information insight
    insights instrument interest intraday invested investment invoice issue issues item items job
    key kind known label labels late latency latest league leg legs length level levels limit link
    list live loan location log logs long loser losers loss lot low lower lowest main margin mark
    market markets match maximum mean medium meeting meetings member members memory message method
    metric minimum minute minutes momentum month monthly morning movement movie movies moving mutual
    name net new news night nights notes number observation observations offer office ok okay old
    opening option options order orders outlook overview parcel path pattern pay payment percent
    percentage performance period person pipeline place plan pod pods point points policy portfolio
    position positions precipitation premium pressure previous price prices pro product products
    profit project projects protein published pull put quantity query question quick quote range
    rank rate rating ratings ratio reason recent recommendation recommendations record reference
    refund refunds relative release relevance remaining remember reminder report request requests
    resistance response result results return returns revenue revenues review rise risk risks role
    room rose route runtime sales scheme schemes score search season sector security segment sell
    sentiment server service services serving share shares shipping short side signal
    signals simple size sky song source sources speed spread standard standings stars start started
    state statistics status step steps stock stocks stop storm straddle strength strike subscription
    successful successfully summary sunrise sunset support symbol system table takeaway takeaways
    target task tax team temperature term terms test theta ticket time timestamp tip tips title
    titles tool tools top topic topics total totals tracking trade traded trading traffic
    transaction trend trends type units update updated upper usage user value values vega version
    video videos view views visibility volatility volume wait warning watch watched weather week
    weekly weeks wind winds wins work year yearly years yield zone";

const STATES: &str = "
    bearish bullish calm cancelled clear closed cloudy cold complete completed confirmed cool
    declined done hot humid light moderate negative neutral open partly pending placed positive rain
    rainy snow snowy stable strong sunny volatile warm weak wet windy";

const WORLD: &str = "
    african american asia asian australian british canadian celsius chinese christmas coordinated
    dollar dollars dutch earth eastern english euro europe european euros fahrenheit french german
    global greenwich hindi indian internet italian japanese kelvin latin northern pacific pound
    rupee rupees russian southern spanish swiss universal utc western wi-fi world yen";
