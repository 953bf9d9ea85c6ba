//! The channels of the sample, each with its videos and how long they are in seconds; 0 where that is not
//! known.

/// The name of a channel, and its videos.
pub(super) type Listed = (&'static str, &'static [(&'static str, u32)]);

/// By channel.
pub(super) const CHANNELS: &[Listed] = &[
    (
        "Tech Channel",
        &[
            ("Python Tutorial", 930),
            ("Git Explained in Fifteen Minutes", 905),
            ("How Databases Store Your Data", 1_324),
            ("Building a Web Server from Scratch", 2_718),
        ],
    ),
    (
        "Programming Channel",
        &[
            ("Python Basics", 1_512),
            ("Python Advanced Topics: Decorators and Generators", 1_847),
            ("Rust Ownership for Beginners", 1_193),
            ("Writing Tests That Can Fail", 842),
        ],
    ),
    (
        "Tech Educator",
        &[
            ("Introduction to Neural Networks", 1_265),
            ("Machine Learning in One Hour", 3_600),
            ("Gradient Descent, Step by Step", 978),
            ("How Transformers Read a Sentence", 1_634),
        ],
    ),
    (
        "Data Corner",
        &[
            ("Linear Regression with Real Data", 1_102),
            ("Charts That Do Not Lie", 764),
            ("Deep Learning: What a Layer Does", 1_420),
            ("Cleaning a Messy Spreadsheet", 689),
        ],
    ),
    (
        "Food Channel",
        &[
            ("Cooking Basics", 525),
            ("Weeknight Pasta in 20 Minutes", 1_214),
            ("Five Soups for Winter", 1_033),
            ("How to Sharpen a Kitchen Knife", 412),
        ],
    ),
    (
        "Kitchen Basics",
        &[
            ("Fresh Bread without Kneading", 861),
            ("Fermenting Vegetables at Home", 1_178),
            ("A Curry from What Is in the Cupboard", 947),
            ("Perfect Rice, Every Time 🍚", 368),
        ],
    ),
    (
        "Garden Notes",
        &[
            ("Planting Tomatoes on a Balcony", 732),
            ("Compost without the Smell", 655),
            ("Pruning Apple Trees in Late Winter", 1_089),
            ("Herbs That Survive a Windowsill", 540),
        ],
    ),
    (
        "Night Sky Club",
        &[
            ("How to Find Saturn with Binoculars", 618),
            ("The Life of a Star", 2_145),
            ("Black Holes, Explained Calmly", 1_756),
            ("Shooting the Milky Way with a Phone", 802),
        ],
    ),
    (
        "Workbench",
        &[
            ("Your First Dovetail Joint", 1_391),
            ("A Bookshelf from Two Boards", 1_628),
            ("Sanding and Oiling a Table Top", 917),
            ("Five Clamps You Need", 0),
        ],
    ),
    (
        "Move Every Day",
        &[
            ("Morning Stretch for Stiff Backs", 600),
            ("Strength Training at Home, No Equipment", 1_800),
            ("How to Run Your First Five Kilometres", 754),
            ("Yoga for Runners", 1_500),
        ],
    ),
    (
        "Quiet Piano",
        &[
            ("Piano Music for Rainy Evenings", 7_200),
            ("Learn a Waltz in a Week", 1_345),
            ("Reading Sheet Music from Zero", 1_126),
            ("Three Chords, Ten Songs", 888),
        ],
    ),
    (
        "Guitar Room",
        &[
            ("Fingerpicking for Beginners", 1_012),
            ("Change Strings without Scratches", 487),
            ("Blues in A: a Slow Jam", 1_960),
            ("How a Tube Amplifier Works", 1_277),
        ],
    ),
    (
        "Slow Travel",
        &[
            ("Lisbon by Tram", 1_433),
            ("A Night Train across the Alps", 2_904),
            ("Packing for Two Weeks in One Bag", 673),
            ("Kyoto in Autumn / 秋の京都 🍁", 1_815),
        ],
    ),
    (
        "Old Maps",
        &[
            ("Why Rome Built Straight Roads", 1_549),
            ("The Printing Press Changes Everything", 1_902),
            ("How Sailors Found Longitude", 1_371),
            ("Daily Life in a Medieval Town", 2_233),
        ],
    ),
    (
        "Chess Corner",
        &[
            ("The Italian Game in Ten Minutes", 611),
            ("Endgames Everybody Should Know", 1_706),
            ("Thinking Three Moves Ahead", 1_044),
            ("Blitz Game with Comments", 0),
        ],
    ),
    (
        "Light and Lens",
        &[
            ("Exposure without Fear", 826),
            ("Portraits by a Window", 974),
            ("Which Focal Length for What", 1_158),
            ("Editing a Photo in Five Steps", 699),
        ],
    ),
    (
        "Language Lab",
        &[
            ("Spanish for the Market / Español en el mercado", 1_287),
            ("How to Remember New Words", 745),
            ("German Cases Made Bearable", 1_519),
            ("Listening Practice: Slow French", 1_830),
        ],
    ),
    (
        "Fix It at Home",
        &[
            ("Stop a Dripping Tap", 434),
            ("Patching a Hole in the Wall", 581),
            ("How to Bleed a Radiator", 297),
            ("Hanging a Door That Closes", 1_065),
        ],
    ),
    (
        "Plain Money",
        &[
            ("Index Funds in Plain Words", 1_147),
            ("A Budget You Will Keep", 792),
            ("What Inflation Does to Savings", 1_018),
            ("How Mortgages Work", 1_463),
        ],
    ),
    (
        "Two Wheels",
        &[
            ("Fixing a Flat in Five Minutes", 318),
            ("Bike Touring: What to Bring", 1_236),
            ("Adjusting a Rear Derailleur", 569),
            ("Winter Cycling without Cold Feet", 707),
        ],
    ),
    (
        "Small Engines",
        &[
            ("How an Electric Motor Works", 1_099),
            ("Soldering Your First Circuit", 853),
            ("A Weather Station with a Microcontroller", 1_978),
            ("Batteries: What Really Wears Them Out", 1_311),
        ],
    ),
    (
        "Open Water",
        &[
            ("What Lives in the Deep Sea", 2_401),
            ("How Tides Work", 636),
            ("Coral Reefs at Night", 1_722),
            ("Learning to Sail in a Weekend", 0),
        ],
    ),
    (
        "Paper and Ink",
        &[
            ("Watercolour Skies for Beginners", 1_376),
            ("Drawing Hands without Tears", 1_205),
            ("Calligraphy with a Broad Pen", 938),
            ("Binding Your Own Notebook", 1_120),
        ],
    ),
    (
        "Mind Matters",
        &[
            ("Why We Forget Names", 814),
            ("Sleep: What Helps and What Does Not", 1_589),
            ("Habits That Stay", 976),
            ("How to Read a Scientific Study", 1_248),
        ],
    ),
];
