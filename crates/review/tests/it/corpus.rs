//! Answers as models give them, to questions as people ask them: those that must pass, and those
//! that must be caught, with everything that is found.

use toolwright_core::{
    Conversation,
    review::{Finding, FindingKind},
};

use super::{date, figure, found, id, name, review, talks};

#[test]
fn good_answers_pass() {
    let corpus: [(Conversation, &[&str]); 29] = [
        (talks::trading(), TRADING_GOOD),
        (talks::history(), HISTORY_GOOD),
        (talks::evening(), EVENING_GOOD),
        (talks::cluster(), CLUSTER_GOOD),
        (talks::flights(), FLIGHTS_GOOD),
        (talks::github(), GITHUB_GOOD),
        (talks::sql(), SQL_GOOD),
        (talks::calendar(), CALENDAR_GOOD),
        (talks::crypto(), CRYPTO_GOOD),
        (talks::shop(), SHOP_GOOD),
        (talks::forecast(), FORECAST_GOOD),
        (talks::wiki(), WIKI_GOOD),
        (talks::files(), FILES_GOOD),
        (talks::options(), OPTIONS_GOOD),
        (talks::fitness(), FITNESS_GOOD),
        (talks::fx(), FX_GOOD),
        (talks::bank(), BANK_GOOD),
        (talks::empty(), EMPTY_GOOD),
        (talks::order(), ORDER_GOOD),
        (talks::doc(), DOC_GOOD),
        (talks::football(), FOOTBALL_GOOD),
        (talks::movies(), MOVIES_GOOD),
        (talks::deploy(), DEPLOY_GOOD),
        (talks::hotel(), HOTEL_GOOD),
        (talks::mail(), MAIL_GOOD),
        (talks::nutrition(), NUTRITION_GOOD),
        (talks::traffic(), TRAFFIC_GOOD),
        (talks::metrics(), METRICS_GOOD),
        (talks::funds(), FUNDS_GOOD),
    ];
    let reviewed = corpus
        .iter()
        .flat_map(|(talk, answers)| answers.iter().map(|answer| (*answer, review(answer, talk))));
    let wrong: Vec<_> = reviewed.filter(|(_, findings)| !findings.is_empty()).collect();
    assert_eq!(wrong, []);
    let count: usize = corpus.iter().map(|(_, answers)| answers.len()).sum();
    assert!(count >= 80, "only {count} good answers");
}

#[test]
fn bad_answers_are_caught() {
    let corpus = [
        (talks::trading(), trading_bad()),
        (talks::history(), history_bad()),
        (talks::evening(), evening_bad()),
        (talks::cluster(), cluster_bad()),
        (talks::flights(), flights_bad()),
        (talks::github(), github_bad()),
        (talks::sql(), sql_bad()),
        (talks::calendar(), calendar_bad()),
        (talks::crypto(), crypto_bad()),
        (talks::shop(), shop_bad()),
        (talks::forecast(), forecast_bad()),
        (talks::wiki(), wiki_bad()),
        (talks::files(), files_bad()),
        (talks::options(), options_bad()),
        (talks::fitness(), fitness_bad()),
        (talks::fx(), fx_bad()),
        (talks::bank(), bank_bad()),
        (talks::empty(), empty_bad()),
        (talks::order(), order_bad()),
        (talks::doc(), doc_bad()),
        (talks::football(), football_bad()),
        (talks::movies(), movies_bad()),
        (talks::deploy(), deploy_bad()),
        (talks::hotel(), hotel_bad()),
        (talks::mail(), mail_bad()),
        (talks::nutrition(), nutrition_bad()),
        (talks::traffic(), traffic_bad()),
        (talks::metrics(), metrics_bad()),
        (talks::funds(), funds_bad()),
    ];
    for (talk, answers) in &corpus {
        let answers = answers.as_slice();
        let reviewed: Vec<_> =
            answers.iter().map(|(answer, _)| (*answer, review(answer, talk))).collect();
        assert_eq!(reviewed, answers);
    }
    let count: usize = corpus.iter().map(|(_, answers)| answers.len()).sum();
    assert!(count >= 80, "only {count} bad answers");
}

const TRADING_GOOD: &[&str] = &[
    "**NIFTY** is trading at **₹21,710.80**, up 52.2 points (+0.24%) from yesterday's close of 21,658.6.",
    "## Nifty 50 Overview\n\n| Metric | Value |\n|---|---|\n| Last Price | 21,710.80 |\n| Open | 21,705.75 |\n| High | 21,749.60 |\n| Low | 21,629.20 |\n| Previous Close | 21,658.60 |\n| Change | +52.20 (+0.24%) |\n",
    "The Nifty 50 closed at 21,711 today, 5 January 2024, a gain of about 50 points. It moved in a range of 120.4 points between 21,629.2 and 21,749.6.",
    "NIFTY (security ID 13, segment IDX_I) last traded at 21710.8 at 3:30 PM on 05 Jan 2024.",
    "At 15:30 on Friday the index stood at 21.7K, 123.55 points below its 52-week high of 21,834.35.",
    "Your holdings:\n\n1. **INFY** – 120 shares, average ₹1,412.55, now ₹1,531.20 (up 8.4%)\n2. **RELIANCE** – 45 shares, average ₹2,480, now ₹2,607.65 (up 5.15%)\n3. **TATAMOTORS** – 200 shares, average ₹655.30, now ₹790.15 (up 20.58%)",
    "Infosys is your largest position: 120 shares at ₹1,531.20 are worth ₹1,83,744.",
    "Tata Motors has done best: it is up ₹134.85 per share, or 20.6%, over what you paid.",
    "You hold 365 shares of 3 companies. Reliance Industries is up ₹127.65 a share.",
    "You hold Infosys (INFY, ISIN INE009A01021), Reliance (INE002A01018) and Tata Motors (INE155A01022).",
    "Nifty is up by 0.24% today. I don't have your realised profit, as the holdings do not include it.",
    "The index opened at 21,705.75, only 5.05 points below where it trades now. Both Infosys and Reliance are in profit.",
    "Your Tata Motors shares cost ₹1,31,060 and are now worth ₹1.58 lakh.",
    "El Nifty cerró en 21.710,8 puntos el 5 de enero de 2024, un 0,24 % más.",
    "Der Nifty schloss am 5. Januar bei 21.710,80 Punkten, die Aktien von Infosys liegen mit 8,4 % im Plus und das Depot ist gut gelaufen.",
    "日経ではなくNiftyは21,710.8ポイントで、52.2ポイント上昇しました。",
];

const HISTORY_GOOD: &[&str] = &[
    "You watched these Rust videos lately:\n\n1. **Rust Ownership Explained Visually** by Let's Get Rusty, 2 days ago (relevance 93%)\n2. **Async Rust: the good, the bad and the ugly** by Jon Gjengset, 5 days ago (89%)\n3. **Building a Database in Rust** by No Boilerplate, 3 weeks ago (81%)\n4. **Why Discord moved from Go to Rust** by ThePrimeTime, 1 month ago (76%)",
    "The best match is [Rust Ownership Explained Visually](https://www.youtube.com/watch?v=VFIOSWy93H0), with a score of 0.93.",
    "| # | Title | Channel | Watched | Relevance |\n|---|---|---|---|---|\n| 1 | Rust Ownership Explained Visually | Let's Get Rusty | 2 days ago | 0.934 |\n| 2 | Async Rust | Jon Gjengset | 5 days ago | 0.887 |",
    "I found 214 entries about Rust; the 4 most relevant are from the last 30 days or so.",
    "The longest was Jon Gjengset's talk on async Rust, at 1 hour 2 minutes (1:02:17).",
    "The shortest, Building a Database in Rust, runs just under 10 minutes.",
    "Five days ago you watched Jon Gjengset; the video id is bnmln9HtqEI.",
    "Most recently, you watched a 12:44 video from Let's Get Rusty about ownership. It scored 93.4%.",
    "Discord's move from Go to Rust, as told by ThePrimeTime, was 27 minutes long and scored 76 %.",
];

const EVENING_GOOD: &[&str] = &[
    "It's 72°F and sunny in San Francisco. A 20% tip on $45.60 is $9.12, for a total of $54.72.",
    "**Weather in San Francisco:** 72°F, sunny\n**Tip:** $9.12\n**Total:** $54.72",
    "San Francisco is sunny at 72 °F (about 22 °C) with a north-westerly wind of 12 mph (19 km/h) and 58% humidity.",
    "It is sunny, 72 degrees. The tip comes to 9.12 dollars.",
    "Sunset is at 7:42 PM, so you have time. The bill with the tip is $54.72; $9.12 of it is the tip.",
    "Here you go:\n\n- Weather: Sunny, 72°F\n- Wind: NW at 12 mph\n- Bill: $45.60\n- Tip (20%): $9.12\n- Total: $54.72\n\nEnjoy your evening!",
    "It's a sunny 72°F in San Francisco, California. I don't have tomorrow's forecast.",
    "The tip is roughly $9 and the total roughly $55.",
];

const CLUSTER_GOOD: &[&str] = &[
    "Two pods run in `shop`. `checkout-7d9f8b6c5-qq4lm` is in CrashLoopBackOff with 37 restarts; `checkout-7d9f8b6c5-x2x7k` has restarted 14 times.",
    "The database pool times out after 30 seconds (10.0.14.7:5432), first seen at 08:41:07 UTC on January 5.",
    "p99 latency is 4.82 s and 3.75% of the requests fail. The image is registry.example.com/shop/checkout:2.14.3.",
    "Checkout 2.14.3 uses 1.4 GiB (1.5 GB) of memory in one pod and 128 MiB in the other.",
    "There were 51 restarts in total, 23 more in the second pod than in the first.",
    "The error rate is 3.75 %.\n\n```bash\nkubectl logs checkout-x --tail=500\n```\n\nRaise the pool's timeout above 30,000 ms.",
    "The older pod started on 5 January 2024, at midnight UTC. Unfortunately, I don't have older logs.",
];

const FLIGHTS_GOOD: &[&str] = &[
    "I found two flights from Delhi (DEL) to London Heathrow (LHR) on 12 March 2025:\n\n- **Air India AI 161**: departs 2:45 AM, arrives 7:05 AM, ₹48,250, 4 seats left\n- **British Airways BA 142**: departs 10:35 AM, arrives 2:55 PM, ₹61,780, 19 seats left",
    "The cheapest is AI 161 at INR 48,250; it takes 9 h 50 min. BA 142 costs ₹13,530 more (about 28% more).",
    "AI161 is the better deal: it leaves Delhi at 02:45 and lands at 07:05 local time, 9 hours and 50 minutes later.",
];

const GITHUB_GOOD: &[&str] = &[
    "There are 2 open issues:\n\n1. **#1482** Panic when the schema has a $ref loop, opened by mkessler on February 17, 2025 (7 comments)\n2. **#1475** Support Anthropic prompt caching, opened by dana-ortiz on Feb 11 (23 comments)",
    "The most discussed issue is #1475, \"Support Anthropic prompt caching\", with 23 comments. It's labelled `enhancement`.",
];

const SQL_GOOD: &[&str] = &[
    "Your top customers were Hartmann GmbH (€184,320.50 from 42 orders), Nordlys AS (€151,004.25, 37 orders) and Ferreira & Filhos (€98,750.00, 61 orders).",
    "Hartmann GmbH leads with 184.3K, 22% ahead of Nordlys. Together the top three brought in 434,074.75.",
    "| Customer | Revenue | Orders |\n|---|---:|---:|\n| Hartmann GmbH | 184,320.50 | 42 |\n| Nordlys AS | 151,004.25 | 37 |\n| Ferreira & Filhos | 98,750.00 | 61 |\n\nFerreira & Filhos placed the most orders (61).",
];

const CALENDAR_GOOD: &[&str] = &[
    "Tomorrow (Wednesday, June 18) you have three events:\n\n- **9:30–9:45 AM** Standup with Priya Raman and Tom Becker\n- **1:00–2:30 PM** Design review: billing, in Room Curie\n- **5:15–6:00 PM** Dentist",
    "Your day starts with Standup at 9:30 and ends with the Dentist at 18:00. The design review takes an hour and a half, with Priya, Wei and Tom.",
];

const CRYPTO_GOOD: &[&str] = &[
    "**Bitcoin (BTC):** $67,123.45 (down 2.35% in 24h)\n**Ethereum (ETH):** $3,456.78 (up 1.10%)",
    "Bitcoin is at about $67.1K with a market cap of $1.32 trillion, while Ethereum trades at $3,457 ($415.3B).",
    "BTC fell 2.3% to $67,123; ETH rose 1.1% to $3,456.78. Bitcoin's market cap is roughly three times that of Ethereum.",
];

const SHOP_GOOD: &[&str] = &[
    "Here are three wireless headphones under €150:\n\n1. **JBL Tune 770NC**, €89.99, 4.3 stars (5,120 reviews), 70 hours of battery\n2. **Sony WH-CH720N**, €99.00, 4.4 stars (3,182 reviews), 35-hour battery\n3. **Sennheiser Accentum**, €139.95, 4.5 stars, 50 h",
    "I'd go for the Sennheiser Accentum: it has the best rating (4.5/5) and costs €139.95, about €10 below your limit. There are 48 results in total.",
    "The JBL lasts twice as long as the Sony: 70 hours against 35. It is also €9.01 cheaper.",
];

const FORECAST_GOOD: &[&str] = &[
    "In Tokyo, Tuesday will be the best day: sunny with 20°C. Expect showers on Wednesday (16°C, 70% chance of rain) and Thursday (15°C, 60%).",
    "Monday, November 3: 18°C / 11°C, partly cloudy\nTuesday, November 4: 20°C / 12°C, sunny\nWednesday, November 5: 16°C / 10°C, showers",
    "Highs range from 15 °C to 20 °C (59–68 °F). Bring an umbrella on Nov 5 and 6.",
];

const WIKI_GOOD: &[&str] = &[
    "The Eiffel Tower was designed by Maurice Koechlin and Émile Nouguier, engineers in the company of Gustave Eiffel. It was built from 1887 to 1889 and is 330 m (1,083 ft) tall.",
    "Engineers Maurice Koechlin and Émile Nouguier designed it; Gustave Eiffel's company built it in 1887–89.",
];

const FILES_GOOD: &[&str] = &[
    "The folder `/var/log` holds 132 files and takes 5 GiB (5.37 GB). The largest file is `syslog.1` with 2 GiB, followed by `auth.log` with 700 MiB.",
    "/var/log is 5.4 GB in size; syslog.1 alone is 40% of that.",
];

const OPTIONS_GOOD: &[&str] = &[
    "With Nifty at 24,350.75, the 24,350 call trades at ₹154.60 and the put at ₹153.20 (expiry 31 July 2025). The straddle costs ₹307.80.",
    "The highest call open interest is at 24,400 (24.5 lakh), the highest put open interest at 24,300 (20.99 lakh), so the range for the 31-Jul expiry is 24,300–24,400.",
    "| Strike | CE LTP | PE LTP |\n|---|---|---|\n| 24,300 | 182.40 | 131.05 |\n| 24,350 | 154.60 | 153.20 |\n| 24,400 | 129.30 | 178.10 |\n\nThe Put-Call Ratio (PCR) by OI at 24,300 is 1.67.",
];

const FITNESS_GOOD: &[&str] = &[
    "### Your week\n\n**Sleep:** you slept 7.4 h on Monday, 6.1 h on Tuesday and 8 h on Wednesday, an average of about 7.2 hours.\n\n**Running:** two runs, 20.48 km in total. The longer one (12.03 km on May 14) took 1:06:36 at an average heart rate of 147 bpm.\n\nKeep it up!",
    "You ran 8.45 km in 45 minutes and 12 seconds on 12 May, and 12.03 km in 66.6 minutes two days later. Your resting heart rate is 54 and you took 61,234 steps.",
    "Your resting heart rate is 54 bpm, which is considered good for most adults. You walked over 61,000 steps.",
];

const FX_GOOD: &[&str] = &[
    "250 USD is **€230.33** or **₹20,855.00** at today's rates (1 USD = 0.9213 EUR = 83.42 INR).",
    "At a rate of 0.9213, $250 converts to about 230.33 euros; at 83.42 it is 20,855 rupees. Rates are from June 10, 2024.",
];

const BANK_GOOD: &[&str] = &[
    "You spent £219.50 on groceries in May, in 4 purchases: Tesco twice (£48.20 and £52.40, £100.60 together), Lidl (£31.75) and Waitrose (£87.15).",
    "In May 2025 your groceries came to £219.50, or £54.88 per shop on average. The largest was £87.15 at Waitrose on the 28th.",
    "Here's the breakdown:\n\n| Date | Merchant | Amount |\n|------|----------|--------|\n| 3 May | Tesco | £48.20 |\n| 9 May | Lidl | £31.75 |\n| 17 May | Tesco | £52.40 |\n| 28 May | Waitrose | £87.15 |\n\n**Total: £219.50**\n\nLet me know if you'd like a comparison with April.",
];

const EMPTY_GOOD: &[&str] = &[
    "I couldn't find any videos about gardening in your watch history.",
    "I'm sorry, I couldn't find anything about gardening. Would you like me to search for something else?",
];

const ORDER_GOOD: &[&str] = &[
    "Done. Your order for 10 shares of TCS was executed at ₹3,891.40 (order ID 112111182198). The total value is ₹38,914.",
    "✅ **Order executed**\n\n- **Symbol:** TCS\n- **Quantity:** 10\n- **Price:** ₹3,891.40\n- **Order ID:** `112111182198`\n- **Status:** TRADED",
];

const DOC_GOOD: &[&str] = &[
    "According to the Refund Policy (v3.2, effective April 1, 2024), you can return items within 30 days of delivery. Refunds take 5–7 business days, and opened electronics carry a 15% restocking fee. Questions? Write to support@acme-shop.example or call +1 (800) 555-0199.",
    "Yes: within 30 days. Note that a 15 % fee applies to opened electronics.",
    "Les remboursements sont effectués sous 5 à 7 jours ouvrés ; des frais de 15 % s'appliquent aux appareils ouverts. La politique (v3.2) est en vigueur depuis le 1er avril 2024.",
    "根据退款政策（v3.2，2024年4月1日生效），您可以在收货后30天内退货。已拆封的电子产品收取15%的费用。",
    "रिफंड 5-7 कार्य दिवसों में मिलता है और 15% शुल्क लगता है।",
];

const FOOTBALL_GOOD: &[&str] = &[
    "Arsenal and Liverpool both have 64 points from 28 games; Arsenal lead on goal difference (+46 against +39). Manchester City are third with 63.",
    "1. Arsenal – 64 pts (W20 D4 L4)\n2. Liverpool – 64 pts (W19 D7 L2)\n3. Manchester City – 63 pts (W19 D6 L3)",
    "Arsenal lead the Premier League with 64 points, 20 wins and a 70:24 goal record.",
];

fn trading_bad() -> Vec<(&'static str, Vec<Finding>)> {
    let sorry = "I'm sorry, but I don't have access to real-time market data.";
    vec![
        ("NIFTY is trading at ₹21,750.80, up 52.2 points.", vec![figure("₹21,750.80")]),
        ("NIFTY is trading at ₹21,170.80.", vec![figure("₹21,170.80")]),
        ("Nifty is up 1.24% today.", vec![figure("1.24%")]),
        ("Nifty changed by -52.2 points.", vec![figure("-52.2")]),
        (
            "| Metric | Value |\n|---|---|\n| High | 21,794.60 |\n| Low | 21,629.20 |",
            vec![figure("21,794.60")],
        ),
        ("NIFTY (ID 99) last traded at 21710.8.", vec![figure("99")]),
        ("Nifty closed at 21,710.8 on 6 January 2024.", vec![date("6 January 2024")]),
        ("Nifty last traded at 3:45 PM.", vec![date("3:45 PM")]),
        ("You hold 120 shares of Infosys (ISIN INE009A01012).", vec![id("INE009A01012")]),
        (
            "You hold 120 shares of Infosys and 83 shares of Wipro Technologies.",
            vec![figure("83"), name("Wipro Technologies")],
        ),
        ("Your Infosys shares are worth ₹1,93,744.", vec![figure("₹1,93,744")]),
        ("Tata Motors is up 25.6%.", vec![figure("25.6%")]),
        (
            "Analysts at Goldman Sachs expect 23,500 by March 2024.",
            vec![figure("23,500"), date("March 2024"), name("Goldman Sachs")],
        ),
        (sorry, vec![found(FindingKind::Apology, sorry)]),
        ("Your order ORD-558812 was placed.", vec![id("ORD-558812")]),
    ]
}

fn history_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        (
            "You watched **Rust Ownership Explained Visually** 2 days ago (relevance 98%).",
            vec![figure("98%")],
        ),
        ("You also watched a talk by Bryan Cantrill.", vec![name("Bryan Cantrill")]),
        (
            "Watch it at https://www.youtube.com/watch?v=VFIOSWy93H1.",
            vec![id("https://www.youtube.com/watch?v=VFIOSWy93H1")],
        ),
        ("I found 241 entries about Rust.", vec![figure("241")]),
        ("It runs 1:20:17.", vec![date("1:20:17")]),
        ("You watched it on March 3, 2024.", vec![date("March 3, 2024")]),
        ("The video id is bnmln9HtqEX.", vec![id("bnmln9HtqEX")]),
        ("It has 1.2M views and a score of 0.93.", vec![figure("1.2M")]),
        (
            "I'm unable to access your watch history.",
            vec![found(FindingKind::Apology, "I'm unable to access your watch history.")],
        ),
        (
            "You watched \"Tokio Internals Deep Dive\" by Alice Ryhl.",
            vec![name("Tokio Internals Deep Dive"), name("Alice Ryhl")],
        ),
    ]
}

fn evening_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("It's 68°F and sunny in San Francisco. The tip is $9.12.", vec![figure("68°F")]),
        ("It's 72°F. A 20% tip on $45.60 is $9.21.", vec![figure("$9.21")]),
        ("It's 72°F. The total is $55.72.", vec![figure("$55.72")]),
        ("It's 72°F (27°C).", vec![figure("27°C")]),
        ("It's 72°F with 85% humidity.", vec![figure("85%")]),
        ("It's 72°F. Sunset is at 8:15 PM.", vec![date("8:15 PM")]),
        (
            "It's 72°F in San Francisco and 65°F in Los Altos.",
            vec![figure("65°F"), name("Los Altos")],
        ),
        ("An 18% tip would be less; 20% is $9.12.", vec![figure("18%")]),
        ("", vec![found(FindingKind::Empty, "")]),
        (
            "Unfortunately, I can't provide live weather data.",
            vec![found(FindingKind::Apology, "Unfortunately, I can't provide live weather data.")],
        ),
    ]
}

fn cluster_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("`checkout-7d9f8b6c5-zz9qp` crashes.", vec![id("checkout-7d9f8b6c5-zz9qp")]),
        ("The pool times out after 45 seconds.", vec![figure("45")]),
        ("The pool at 10.0.14.9:5432 times out.", vec![id("10.0.14.9:5432")]),
        ("It runs 2.15.0.", vec![id("2.15.0")]),
        ("It uses 2.4 GiB of memory.", vec![figure("2.4")]),
        ("7.5% of the requests fail.", vec![figure("7.5%")]),
        ("It failed first at 09:12.", vec![date("09:12")]),
        ("It has restarted 73 times.", vec![figure("73")]),
        ("Set `max_connections` to 200.", vec![figure("200")]),
        (
            "See https://runbooks.example.com/pool for help.",
            vec![id("https://runbooks.example.com/pool")],
        ),
    ]
}

fn flights_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("AI 161 departs at 3:45 AM.", vec![date("3:45 AM")]),
        ("AI 161 costs ₹42,850.", vec![figure("₹42,850")]),
        ("Lufthansa flies for ₹52,300.", vec![figure("₹52,300")]),
        ("It takes 8 h 50 min.", vec![figure("8 h 50 min")]),
    ]
}

fn github_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Issue #1428 was opened by mkessler.", vec![figure("1428")]),
        ("It was opened on February 19, 2025.", vec![date("February 19, 2025")]),
        ("It was fixed by Linus Torvalds.", vec![name("Linus Torvalds")]),
    ]
}

fn sql_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Hartmann GmbH brought in 148,320.50.", vec![figure("148,320.50")]),
        ("Hartmann GmbH placed 52 orders.", vec![figure("52")]),
    ]
}

fn calendar_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("You have lunch with Maria Lopez at 12:30.", vec![date("12:30"), name("Maria Lopez")]),
        ("The design review starts at 2 PM.", vec![date("2 PM")]),
    ]
}

fn crypto_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Bitcoin is at $76,123.45.", vec![figure("$76,123.45")]),
        ("Solana is at $145.20.", vec![figure("$145.20")]),
        ("Bitcoin is up 5.8%.", vec![figure("5.8%")]),
    ]
}

fn shop_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("The Bose QuietComfort costs €129.", vec![figure("€129"), name("Bose QuietComfort")]),
        ("The JBL has 4,120 reviews.", vec![figure("4,120")]),
    ]
}

fn forecast_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("On Tuesday it will be 24°C.", vec![figure("24°C")]),
        ("Rain on Friday: 85%.", vec![figure("85%")]),
    ]
}

fn wiki_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        (
            "It was designed by Stephen Sauvestre in 1884.",
            vec![figure("1884"), name("Stephen Sauvestre")],
        ),
        ("It is 324 metres tall.", vec![figure("324")]),
    ]
}

fn files_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("The folder takes 7.2 GiB.", vec![figure("7.2")]),
        ("There are 312 files.", vec![figure("312")]),
    ]
}

fn options_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("The 24,350 call trades at ₹164.60.", vec![figure("₹164.60")]),
        ("The expiry is 24 July 2025.", vec![date("24 July 2025")]),
        ("IV is 14.9%.", vec![figure("14.9%")]),
    ]
}

fn fitness_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("You ran 22.48 km in total.", vec![figure("22.48")]),
        ("Your resting heart rate is 45.", vec![figure("45")]),
        ("You slept 5.1 hours on Tuesday.", vec![figure("5.1")]),
    ]
}

fn fx_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("250 USD is €245.33.", vec![figure("€245.33")]),
        ("The rate is 84.32.", vec![figure("84.32")]),
    ]
}

fn bank_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("You spent £291.50.", vec![figure("£291.50")]),
        ("You went to Sainsbury's on the way.", vec![name("Sainsbury")]),
        ("You went to Lidl on 11 May.", vec![date("11 May")]),
    ]
}

fn empty_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![(
        "You watched Gardening with Monty Don, 3 days ago, relevance 0.91.",
        vec![figure("0.91"), name("Monty Don")],
    )]
}

fn order_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Your order 112111182189 was executed.", vec![id("112111182189")]),
        ("It was executed at ₹3,981.40.", vec![figure("₹3,981.40")]),
    ]
}

fn doc_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("You can return items within 60 days.", vec![figure("60")]),
        ("Write to help@acme-shop1.example.", vec![id("help@acme-shop1.example")]),
        ("Version v3.4 applies.", vec![id("v3.4")]),
    ]
}

fn football_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![("Arsenal's coach Mikel Arteta is happy.", vec![name("Mikel Arteta")])]
}

const MOVIES_GOOD: &[&str] = &[
    "I'd suggest **Arrival** (2016), directed by Denis Villeneuve: 116 minutes, IMDb 7.9.",
    "Three sci-fi films are on your list:\n\n- *Arrival* (2016, 1 h 56 min)\n- *Moon* (2009, 1 h 37 min)\n- *Blade Runner 2049* (2017, 2 h 44 min)\n\nThe highest rated is Blade Runner 2049 at 8.0.",
    "If you want something short, go for Moon by Duncan Jones; it's just 97 minutes.",
];

const DEPLOY_GOOD: &[&str] = &[
    "No. Pipeline 88231 failed: 3 of 1,874 tests failed in the test stage, which took about 10 minutes. The build itself succeeded (184 s). Commit 9f8e7d6 by Lena Fischer.",
    "The deploy failed at 23:14 UTC on July 2. See https://ci.example.net/p/88231 for the log.",
    "The pipeline (#88231) failed after 13 minutes and 17 seconds: the build took 3 min 4 s, the tests 10 min 13 s.",
];

const HOTEL_GOOD: &[&str] = &[
    "For 3 nights from August 8 to 11, I found:\n\n1. **Hotel Avenida Palace** ★★★★★: €212 per night, €636 in total, rated 9.1/10, 400 m from the centre\n2. **My Story Hotel Rossio** ★★★: €139.50 per night, €418.50 in total, rated 8.6",
    "My Story Hotel Rossio is €217.50 cheaper overall and closer to the centre (0.2 km).",
];

const MAIL_GOOD: &[&str] = &[
    "You have 2 unread mails:\n- **Sofia Marino** needs your Q3 budget numbers by Thursday; you are 4.5% over plan (€38,200).\n- Your parcel 00340434161094 arrives today between 2 and 4 PM.",
    "Sofia wrote at 6:58 about the Q3 budget. The parcel comes between 14:00 and 16:00.",
];

const NUTRITION_GOOD: &[&str] = &[
    "Two boiled eggs (156 kcal) and a slice of wholegrain toast (87 kcal) add up to **243 kcal**.",
    "One large egg has 78 kcal, so two have 156. With toast (87) that's 243 kcal.",
];

const TRAFFIC_GOOD: &[&str] = &[
    "Frankfurt Airport is 23.8 km away. It normally takes 28 minutes, but with current traffic on the A5 about 39 minutes.",
    "Leave now: the 23.84 km via A5 take 38 min 30 s, that's 10.5 minutes longer than usual.",
];

const METRICS_GOOD: &[&str] = &[
    "Signups grew from 1,240 in week 20 to 1,602 in week 23, up 29.2%. Week 22 dipped to 1,175 (-15.3% against the week before). In total there were 5,405 signups.",
    "The best week was W23 with 1,602 signups, 36% more than W22. The average is 1,351 per week.",
];

const FUNDS_GOOD: &[&str] = &[
    "Your funds are worth ₹1,88,635.33 in total, against ₹1,35,000 invested, a gain of ₹53,635.33 (39.7%) as of 30 June 2025.",
    "**Parag Parikh Flexi Cap Fund**: ₹1,19,344.10 (invested ₹85,000, +40.4%, XIRR 18.7%)\n**HDFC Mid-Cap Opportunities**: ₹69,291.23 (invested ₹50,000, +38.58%, XIRR 15.2%)",
    "Parag Parikh has the better XIRR, 18.7% against 15.2%, a difference of 3.5 percentage points. Past performance is no guarantee of future returns.",
];

fn movies_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("I'd suggest Arrival (2018).", vec![figure("2018")]),
        ("Moon runs 107 minutes.", vec![figure("107")]),
        (
            "Watch Interstellar by Christopher Nolan.",
            vec![name("Interstellar"), name("Christopher Nolan")],
        ),
        ("Arrival has a rating of 8.3.", vec![figure("8.3")]),
    ]
}

fn deploy_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Pipeline 88213 failed.", vec![figure("88213")]),
        ("5% of the tests failed.", vec![figure("5%")]),
        ("It was commit 9f8e7d7.", vec![id("9f8e7d7")]),
        ("It failed on July 4.", vec![date("July 4")]),
    ]
}

fn hotel_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Hotel Avenida Palace costs €221 per night.", vec![figure("€221")]),
        ("The Ritz Four Seasons is free, too.", vec![name("Ritz Four Seasons")]),
        ("It is rated 9.4.", vec![figure("9.4")]),
    ]
}

fn mail_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("You are 5.4% over plan.", vec![figure("5.4%")]),
        ("Your parcel 00340434161049 arrives today.", vec![id("00340434161049")]),
        ("It is from Paolo Ricci.", vec![name("Paolo Ricci")]),
    ]
}

fn nutrition_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![("That is 265 kcal.", vec![figure("265")])]
}

fn traffic_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![("It takes 52 minutes with traffic.", vec![figure("52")])]
}

fn metrics_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Signups rose by 41%.", vec![figure("41%")]),
        ("Week 21 had 1,833 signups.", vec![figure("1,833")]),
    ]
}

fn funds_bad() -> Vec<(&'static str, Vec<Finding>)> {
    vec![
        ("Your funds are worth ₹1,98,635.33.", vec![figure("₹1,98,635.33")]),
        ("SBI Bluechip returned 18.7%.", vec![name("SBI Bluechip")]),
        ("XIRR is 21.3%.", vec![figure("21.3%")]),
    ]
}
