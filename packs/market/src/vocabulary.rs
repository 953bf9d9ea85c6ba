//! [`VOCABULARY`]: the words of markets.

/// Words of this field that name nobody, for the review of answers: common ones, those that tell something
/// by themselves (`bullish*`), and names that carry a number (`nifty50`).
pub(crate) const VOCABULARY: &str = "
    allocation asset assets bid cap clearing debt delta dividend dividends earnings equity
    exchange expiry exponential exposure fund funds futures gainer gainers gamma greeks holding
    holdings implied index indices instrument intraday invested investment leg legs loser losers
    lot margin market markets momentum mutual portfolio positions premium quote resistance scheme
    schemes sector security segment sentiment shares spread stock stocks straddle strike theta
    trade traded trading vega volatility yield bearish* bullish* volatile* nifty50 nifty100
    nifty200 nifty500 sensex30 s&p100 s&p500 nasdaq100 dow30 ftse100 ftse250 russell1000
    russell2000 dax40 cac40 nikkei225 stoxx50 stoxx600 fortune500";
