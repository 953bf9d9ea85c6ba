"""Functions of services that look things up or do them for people: travel, food, homes, sport, games, music, film, books, art, history, law, health,
school, work, shops, messages, homes with devices, money, government, servers, words and chance. Most have optional values that nobody speaks of. The form
is told in `form.py`, `functions.py` and `reckoning.py`; `{name:VALUE~words}` is a value said in other words."""

from .form import F

POOLS = {name: text.split("|") for name, text in {
    "CITIES": "Lisbon|Bengaluru|Osaka|Chicago|Nairobi|Rotterdam|Marseille|Quito|Adelaide|Jaipur|Leeds|Montreal|Tbilisi|Hyderabad|Gdansk|Austin|Cork|Bologna|Da Nang|Casablanca|Kochi|Turin|Valencia|Busan|Accra|Ljubljana|Santiago|Indore|Utrecht|Tampere",
    "CITYSTATE": "Austin, TX|Boise, ID|Savannah, GA|Portland, OR|Madison, WI|Tucson, AZ|Albany, NY|Eugene, OR|Reno, NV|Omaha, NE|Sacramento, CA|San Diego, CA|Boulder, CO|Asheville, NC|Tampa, FL|Ann Arbor, MI|Dayton, OH|Seattle, WA|Santa Fe, NM|Richmond, VA",
    "CITYCOUNTRY": "Lyon, France|Pune, India|Kyoto, Japan|Porto, Portugal|Graz, Austria|Cusco, Peru|Perth, Australia|Bergen, Norway|Mombasa, Kenya|Galway, Ireland|Leipzig, Germany|Medellin, Colombia|Chiang Mai, Thailand|Krakow, Poland|Halifax, Canada",
    "USSTATES": "Texas|Vermont|Oregon|Georgia|Nevada|Ohio|Montana|Florida|Arizona|Maine|Virginia|Kansas|New Mexico|Minnesota|California|North Dakota",
    "STATECODES": "TX|CA|NY|OR|GA|NV|OH|FL|AZ|WA|CO|MN",
    "COUNTRIES": "Brazil|Vietnam|Norway|Kenya|India|Japan|Portugal|Mexico|Egypt|Poland|Chile|Indonesia|Morocco|Finland|Canada|South Africa|New Zealand|Turkey|Greece|Peru|Sri Lanka|Germany|Thailand|Spain",
    "COUNTRYCODES": "IN|DE|JP|BR|FR|KE|MX|US|GB|AU|SG|PL|IT|CA|ZA|NL",
    "AIRPORTS": "JFK|LAX|BLR|DEL|FRA|CDG|HND|GRU|NBO|YYZ|SYD|DUB|LIS|ORD|SFO|BOM|AMS|SIN|DOH|VIE",
    "AIRLINES": "Nordwind|Skylark Air|Aero Pacifica|Monsoon Airways|Jetline|Blue Heron|Alpina Air|Coral Wings|Sahara Sky|Polar Express Air",
    "FLIGHTS": "NW 482|SK1190|AP 77|MA304|JL 2216|BH 53|CW918|PX 640|AL 1207|SS229",
    "ZIPS": "94107|10001|60614|78701|02139|98109|30309|80202|33131|97205|55403|85004",
    "ADDRESSES": "12 Harbour Street|48 Mill Lane|201 Pine Avenue|7 Station Road|15 MG Road|930 Oak Boulevard|66 Rue des Lilas|3 Castle Hill|1180 Sunset Drive|29 Canal Walk|5 Temple Row|77 Park Crescent",
    "LANDMARKS": "Times Square|India Gate|Table Mountain|Big Ben|Charminar|Petra|Hagia Sophia|Notre-Dame|Red Square|Trafalgar Square|Stonehenge|Angkor Wat|Machu Picchu|Alcatraz",
    "FIRSTS": "Maya|Omar|Lena|Ravi|Chloe|Pedro|Aiko|Noor|Tom|Priya|Jonas|Zara|Kwame|Ines|Dmitri|Sunita|Felix|Hana|Bruno|Leila|Arjun|Greta|Tariq|Nadia|Mateo|Wren|Deepak|Olga",
    "HANDLES": "@quiet_baker|@trailmix_tom|@noor.draws|@pixelpriya|@oldtrams|@citybirder|@salt.and.rye|@runwithravi|@lena_codes|@daily_kettle|@slowcamera|@moth_radio",
    "EMAILS": "maya@brightmail.com|orders@kettleco.com|ravi.k@postbox.in|team@northfold.org|lena.h@inbox.de|office@harbourdesk.com|noor@studiofern.net|hr@millworks.com|jonas@quickpost.eu|desk@cedarclinic.org",
    "AMENITIES": "pool|wifi|gym|free breakfast|parking|sauna|airport shuttle|balcony|kitchenette|pet friendly|rooftop bar|laundry",
    "CARTYPES": "sedan|SUV|convertible|hatchback|minivan|pickup truck|compact|station wagon",
    "CARMODELS": "Tavira LX|Corvo 3|Maruda Swift|Helios E1|Norden Estate|Zephyr GT|Pampa Cross|Lumen City|Fenrir 400|Kite Mini",
    "CUISINES": "Thai|Ethiopian|Italian|Mexican|Punjabi|Lebanese|Korean|Greek|Peruvian|Vietnamese|Turkish|Japanese|South Indian|Cajun",
    "EATERIES": "The Rusty Fork|Saffron House|Noodle Lane|Casa Lupita|Blue Tandoor|Olive and Thyme|Dragonfly Kitchen|Pizzeria Vento|Harbour Grill|The Green Pea|Spice Route|Bao Brothers|Little Addis",
    "DISHES": "paneer tikka|margherita pizza|pad thai|beef pho|lamb biryani|falafel wrap|mushroom risotto|chicken tacos|masala dosa|miso ramen|Caesar salad|butter chicken|fish and chips|veggie burger|bibimbap|lasagne",
    "FOODS": "avocado|brown rice|almonds|salmon|Greek yogurt|sweet potato|boiled egg|lentils|banana|tofu|oatmeal|cheddar|broccoli|peanut butter|quinoa|chickpeas|mango",
    "INGREDIENTS": "chickpeas|spinach|coconut milk|chicken|eggs|tomatoes|rice|ginger|mushrooms|feta|zucchini|black beans|potatoes|basil|paneer|lime|tofu|leeks",
    "ALLERGENS": "peanuts|gluten|dairy|shellfish|soy|sesame|eggs|tree nuts|mustard|celery",
    "TOPPINGS": "olives|pepperoni|mushrooms|extra cheese|jalapenos|onions|sweet corn|basil|bacon|pineapple|artichokes",
    "DRINKS": "cappuccino|flat white|masala chai|iced latte|matcha|espresso|hot chocolate|cold brew|mango lassi|oolong tea",
    "CLUBS": "Harbour City FC|Northgate Rovers|Delta Falcons|Lakeside Tigers|Redwood Rangers|Chandra Warriors|Granite United|Portside Athletic|Silver Comets|Marina Sharks|Old Town Wanderers|Canyon Wolves|Deccan Chargers XI|Boreal Knights",
    "ATHLETES": "Tomas|Adaeze|Jiro|Kiran|Marisol|Anders|Fatou|Rohit|Elodie|Bogdan|Yuna|Callum|Ximena|Tendai|Svetlana|Imran",
    "LEAGUES": "Premier Cup|City League|Northern Conference|Coastal Division|Monsoon Super League|First Division|Continental Trophy|Golden Shield",
    "RACES": "Monaco Grand Prix|Monza Sprint|Suzuka 500|Silverstone Classic|Desert Rally|Alpine Hill Climb|Interlagos Cup",
    "VIDEOGAMES": "Star Drifter|Castle Quest|Turbo Kart Nine|Shadow Isles|Farm Valley|Pixel Raiders|Ocean Tycoon|Ember Saga|Void Runners|Mythbound|Neon Alley|Dungeon Bakery",
    "BOARDGAMES": "Harbour Masters|Settlers of the Fen|Lantern Roads|chess|backgammon|Go|Crown and Quarry|Railway Barons|checkers|Spice Merchants|Mancala|Hex Tide",
    "CARDGAMES": "poker|bridge|rummy|blackjack|hearts|canasta|gin rummy|teen patti|spades|euchre",
    "CHARACTERS": "Ironclad|Nightshade|Stormcaller|Emberfox|Frostbite|Lady Quill|Old Bramble|Captain Vex|Zephyra|The Tinker",
    "GAMEITEMS": "Moonblade|health potion|dragon scale|iron shield|phoenix feather|rope of binding|silver key|cloak of mist|fire bomb|oak bow",
    "PLATFORMS": "PC|PlayStation|Xbox|Switch|Android|iOS|Mac|Linux",
    "SONGS": "Paper Boats|Midnight Ferry|Copper Sky|Dancing on Gravel|Winter Tram|Half a Mango|Lighthouse Song|Seven Kites|Slow River Home|Neon Prayer|Letters to Lima|Tin Roof Rain",
    "BANDS": "The Copper Kites|Velvet Harbour|Moth and Lantern|Static Choir|The Slow Rivers|Night Ferry|Paper Tigers|Raga Junction|Dusty Vinyls|Cedar and Smoke|Los Faroles|Blue Metro",
    "ALBUMS": "Tides and Tramlines|Glass Orchard|Songs for Ferries|Electric Monsoon|The Long Platform|Kitchen Light|Northern Static|Saffron Sundays",
    "MUSICGENRES": "jazz|indie folk|techno|bossa nova|metal|reggae|lo-fi|Carnatic|blues|hip hop|ambient|flamenco|country|K-pop",
    "INSTRUMENTS": "violin|sitar|trumpet|cello|acoustic guitar|flute|clarinet|piano|banjo|tabla|saxophone|harp|ukulele|oboe",
    "COMPOSERS": "Chopin|Bach|Vivaldi|Clara Schumann|Debussy|Tyagaraja|Haydn|Grieg|Brahms|Handel|Dvorak|Satie",
    "PIECES": "Nocturne in E flat|Clair de lune|The Four Seasons|Goldberg Variations|New World Symphony|Gymnopedie No. 1|Water Music|Moonlight Sonata|Peer Gynt|Trout Quintet",
    "NOTES": "C|D|E flat|F sharp|G|A flat|B flat|A|E|C sharp",
    "SCALES": "dorian|mixolydian|harmonic minor|pentatonic|blues|lydian|whole tone|phrygian",
    "FILMS": "The Salt Road|Winter Harbour|A House of Glass|Nine Lanterns|The Clockmaker|Blue Monsoon|Last Train North|Paper Kingdom|Desert Frequency|The Third Ferryman|Ashes and Oranges|Midnight at the Mill|Silent Orbit",
    "SERIES": "Harbour Watch|The Baker Street Band|Cold Signal|Orchard Lane|Station Zero|Monsoon Diaries|The Long Table|Fjord|Paper Detectives|Nine Lives of Lena",
    "FILMGENRES": "thriller|romantic comedy|documentary|science fiction|western|film noir|horror|musical|animation|war drama|heist|mystery",
    "STREAMERS": "Lumio|StreamBox|Cinebay|Watchly|PlayHarbor|FilmNest|KinoGo",
    "BOOKS": "The Quiet Orchard|Maps of Salt|A Winter in Tbilisi|The Glass Beekeeper|Letters from Platform Nine|The Ninth Monsoon|Bread and Iron|An Atlas of Small Things|The Last Cartographer|Under the Banyan|Ink and Ember|The Tin Violin",
    "BOOKGENRES": "historical fiction|crime|fantasy|memoir|poetry|science fiction|travel writing|romance|biography|young adult|horror",
    "ISBNS": "978-0-14-044913-6|978-1-86197-876-9|978-3-16-148410-0|978-0-306-40615-7|978-81-7223-498-0|978-0-679-60139-5",
    "PAINTERS": "Claude Monet|Frida Kahlo|Rembrandt|Hokusai|Vermeer|Raja Ravi Varma|Artemisia Gentileschi|Edvard Munch|Paul Klee|Berthe Morisot|Amrita Sher-Gil|El Greco|Turner|Caravaggio",
    "PAINTINGS": "Water Lilies|The Night Watch|The Great Wave|Girl with a Pearl Earring|The Scream|Impression, Sunrise|The Milkmaid|The Two Fridas|The Fighting Temeraire|The Starry Night",
    "SCULPTURES": "The Thinker|David|Winged Victory|The Kiss|Dancing Shiva|Venus de Milo|The Little Dancer|Discobolus",
    "SCULPTORS": "Rodin|Michelangelo|Camille Claudel|Donatello|Bernini|Brancusi|Barbara Hepworth|Giacometti",
    "MUSEUMS": "Louvre|Prado|Rijksmuseum|British Museum|Uffizi|Hermitage|Met|National Museum of Kenya|Tate Modern|Salar Jung Museum|Art Institute of Chicago|Pergamon Museum",
    "ARTSTYLES": "impressionism|cubism|baroque|surrealism|ukiyo-e|art nouveau|Mughal miniature|abstract expressionism|pop art|romanticism",
    "MATERIALS": "bronze|marble|clay|oak|granite|steel|glass|limestone|plaster|sandstone",
    "RULERS": "Ashoka|Cleopatra|Queen Victoria|Napoleon|Akbar|Charlemagne|Suleiman the Magnificent|Catherine the Great|Hadrian|Mansa Musa|Elizabeth I|Kublai Khan",
    "THINKERS": "Plato|Confucius|Hypatia|Spinoza|Avicenna|Descartes|Seneca|Adi Shankara|Kant|Averroes|Simone Weil|Hume",
    "WARS": "Punic Wars|Crimean War|Thirty Years' War|Boer War|Peloponnesian War|Hundred Years' War|War of the Roses|Opium Wars|Battle of Plassey|Battle of Waterloo|Battle of Marathon",
    "EMPIRES": "Roman Empire|Mughal Empire|Inca Empire|Ottoman Empire|Maurya Empire|Mali Empire|Byzantine Empire|Han dynasty|Aztec Empire|Chola dynasty",
    "RELIGIONS": "Buddhism|Islam|Christianity|Hinduism|Judaism|Sikhism|Jainism|Shinto|Taoism|Zoroastrianism",
    "FESTIVALS": "Diwali|Easter|Eid al-Fitr|Hanukkah|Holi|Vesak|Pongal|Nowruz|Carnival|Lent|Onam|Ramadan",
    "HOLYBOOKS": "Quran|Bhagavad Gita|Torah|Guru Granth Sahib|Dhammapada|New Testament|Rigveda|Tao Te Ching",
    "TREATIES": "Treaty of Versailles|Peace of Westphalia|Treaty of Tordesillas|Congress of Vienna|Treaty of Nanking|Magna Carta",
    "CASENOS": "CV-2021-1187|2019-CR-0452|WP 311/2022|LAB-77-2020|APL-1993-08|22-cv-00914|FAM/2018/265|SC-4410",
    "CASES": "Hartwell v. Lowe|Meridian Foods v. Union of Bakers|State v. Orlov|Patel v. Northgate Bank|Lindqvist v. Coral Shipping|In re Maple Trust|Okoro v. City of Perth|Santos v. Vidal",
    "LAWFIELDS": "family law|employment law|intellectual property|immigration|criminal defence|tax law|real estate|personal injury|bankruptcy|maritime law|environmental law",
    "STATUTES": "Clean Water Act|Consumer Rights Act|Data Protection Act|Companies Act|Motor Vehicles Act|Fair Housing Act|Right to Information Act|Patents Act",
    "SPECIALTIES": "dermatologist|cardiologist|dentist|pediatrician|orthopedist|eye doctor|psychiatrist|neurologist|ENT specialist|gynecologist|physiotherapist",
    "MEDICINES": "ibuprofen|amoxicillin|cetirizine|metformin|omeprazole|paracetamol|atorvastatin|salbutamol|losartan|azithromycin|warfarin",
    "CONDITIONS": "asthma|type 2 diabetes|migraine|hypertension|eczema|anemia|celiac disease|arthritis|insomnia|hay fever",
    "LABTESTS": "complete blood count|vitamin D|thyroid panel|lipid profile|HbA1c|liver function|iron level|urine culture",
    "HOSPITALS": "St. Brigid Hospital|City General|Sunrise Clinic|Lotus Medical Centre|Harbour Health|Cedar Children's Hospital|Northside Infirmary",
    "VACCINES": "yellow fever|hepatitis B|tetanus|influenza|MMR|typhoid|rabies|polio",
    "EXERCISES": "squats|push-ups|plank|deadlift|lunges|pull-ups|burpees|bench press|rowing|kettlebell swings",
    "WORKOUTS": "yoga|cycling|swimming|running|pilates|rowing|hiking|boxing|jump rope|dancing",
    "MUSCLES": "shoulders|back|legs|core|chest|biceps|glutes|triceps",
    "PLANTS": "basil|orchid|snake plant|tomato|lavender|fern|rose|monstera|chili|curry leaf|hydrangea|peace lily|fig tree|strawberry",
    "VEGETABLES": "carrots|tomatoes|spinach|beans|pumpkins|okra|onions|lettuce|peppers|radishes",
    "PESTS": "aphids|slugs|spider mites|whiteflies|mealybugs|snails|thrips",
    "BREEDS": "Labrador|Beagle|Siamese cat|Maine Coon|Poodle|Border Collie|Persian cat|Dachshund|Indian Pariah|Greyhound|Shih Tzu",
    "PETS": "dog|cat|rabbit|parrot|hamster|turtle|guinea pig|canary|goldfish",
    "PETNAMES": "Biscuit|Mango|Luna|Pepper|Sheru|Waffles|Nori|Ginger|Moti|Pixel|Olive|Tofu",
    "UNIS": "Lakeview University|Northern Institute of Technology|St. Brigid College|Coastal Academy|Hillcrest University|Deccan University|Aalborg Polytechnic|Redwood State|Kingsbridge College|Universidad del Faro",
    "SUBJECTS": "linear algebra|organic chemistry|world history|macroeconomics|data structures|botany|philosophy|statistics|French literature|astronomy|psychology|electrical engineering",
    "SCHOOLS": "Maple Elementary|Greenfield High|St. Anne's School|Riverside Middle School|Delhi Public Academy|Oakwood Primary|Harbour Grammar|Sunflower Kindergarten",
    "JOBS": "data analyst|nurse|welder|UX designer|line cook|truck driver|accountant|physics teacher|electrician|backend developer|receptionist|warehouse manager|pharmacist|graphic designer",
    "SKILLS": "Python|welding|public speaking|Excel|Spanish|SQL|project management|first aid|Photoshop|bookkeeping|forklift driving|copywriting",
    "DEPARTMENTS": "finance|marketing|engineering|support|sales|legal|logistics|design|procurement",
    "EMPLOYEES": "E-1042|EMP7731|HR-208|E-3390|EMP0415|HR-919|E-5127|EMP2286",
    "COMPANIES": "Norwick Steel|Tanaka Robotics|Banyan Foods|Lumen Energy|Coral Shipping|Alder Pharma|Sahyadri Motors|Helvetia Clocks|Porto Wines|Kiwi Software|Zambezi Mining|Aurora Telecom",
    "EXCHANGES": "Tokyo Stock Exchange|National Stock Exchange of India|Frankfurt Stock Exchange|London Stock Exchange|Johannesburg Stock Exchange|Toronto Stock Exchange|Shanghai Stock Exchange|Hong Kong Stock Exchange",
    "TICKERS": "NWK|TNKR|BNYN|LUMN|CRLS|ALDR|SHMT|HVTC|KIWI|ZAMB|AURT|PRTW",
    "INDICES": "Nikkei 225|DAX|Sensex|FTSE 100|Nifty 50|CAC 40|Hang Seng|Bovespa|S&P 500|ASX 200",
    "COINS": "Bitcoin|Ethereum|Solana|Dogecoin|Cardano|Litecoin|Polkadot|Monero",
    "MONEY": "USD|EUR|INR|GBP|JPY|CHF|BRL|KES|AUD|SEK|MXN|SGD|ZAR|PLN",
    "COMMODITIES": "gold|crude oil|copper|wheat|coffee|silver|natural gas|cotton|cocoa",
    "GOODS": "running shoes|desk lamp|noise cancelling headphones|rain jacket|espresso machine|yoga mat|office chair|board game|water bottle|mechanical keyboard|rice cooker|hiking boots|air fryer|electric toothbrush|sunglasses|backpack",
    "BRANDS": "Kettleco|Northfold|Brightwell|Zuma|Pinecraft|Ohmware|Tallis|Mirabel|Vantro|Sundara",
    "SHOPS": "MegaMart|Bazaar|ShopRight|CornerStore|Marktplatz|Dukaan|Casa Market|Northgate Mall",
    "COLORS": "navy|red|olive green|black|beige|silver|mustard|teal|white|maroon",
    "ORDERS": "ORD-4471|A99213|PO-20418|#77120|KX-5508|100-2298|ORD-8830|SO-3317|B70045",
    "PARCELS": "1Z55820|TRK90817|JD0044127|PX-33190|LP778120|CN5512084",
    "COUPONS": "SAVE10|MONSOON25|WELCOME5|FREESHIP|SPRING15|LOYAL20",
    "POSTS": "our new menu is online|the market moves to Sunday|thank you for 500 readers|the bakery opens at six tomorrow|who wants to hike this weekend?|we are hiring two bakers|lost cat near the canal|back from a week in the hills",
    "HASHTAGS": "#monsoon|#streetfood|#trailrunning|#oldbuildings|#climate|#booktok|#opensource|#cricket|#sourdough|#nightsky",
    "NETWORKS": "Chirper|Photogram|Linkup|Tokker|Facespace|Redboard|Mastoboard",
    "VIDEOTITLES": "How to Fix a Leaking Tap|Sunrise over Hampi|My First Marathon|Knife Skills in Ten Minutes|A Quiet Day in Kyoto|Bread without Kneading",
    "MESSAGES": "I'm running ten minutes late|the keys are under the mat|can we move lunch to Friday|happy birthday|the parcel has arrived|please bring the charger|dinner is at eight|call me when you land",
    "SUBJECTLINES": "Quarterly figures|Lunch on Friday|Invoice 2207|Your application|Minutes of the meeting|Change of address|Photos from the trip|Contract draft",
    "MEETINGS": "budget review|team lunch|sprint planning|parents' evening|dentist|book club|yoga class|project kickoff|one on one|quarterly review",
    "FOLDERS": "Invoices|Travel|Receipts|Family|Newsletters|Projects|Archive|Taxes",
    "ROOMS": "kitchen|bedroom|living room|hallway|study|bathroom|nursery|garage|terrace",
    "DEVICES": "ceiling fan|coffee machine|garden lights|air purifier|dehumidifier|tv|water heater|bread maker|aquarium pump",
    "SERVICES": "billing|search|auth-gateway|mailer|image-worker|checkout|inventory|report-builder|user-profile",
    "REGIONS": "us-east-1|eu-west-2|ap-south-1|eu-central-1|us-west-2|sa-east-1|af-south-1",
    "BUCKETS": "holiday-photos|raw-logs|invoice-archive|ml-models|site-assets|nightly-dumps",
    "REPOS": "northfold/shop|kettle-api|docs-site|lena/tidy-cli|moth-engine|harbour/portal",
    "BRANCHES": "main|release/2.4|hotfix-login|feature/search|develop|staging|docs-update",
    "TABLES": "customers|orders|invoices|products|shipments|employees|sessions|suppliers|bookings",
    "COLUMNS": "city|status|country|price|created_at|age|category|last_login|email",
    "TEXTS": "the quick brown fox jumps over the lazy dog|all that glitters is not gold|we apologise for the delay of your train|the soup was cold but the waiter was kind|please find the report attached|honey bees dance to tell where the flowers are",
    "ACCOUNTS": "Priya met the mayor of Pune in March at the Banyan Foods fair|on 4 June Coral Shipping moved its office from Cork to Gdansk|Tomas bought a Corvo 3 in Leeds last Friday|Lumen Energy sold its plant in Quito to Alder Pharma in 2019|Hana flew to Lisbon with Nordwind on 12 May|the Kettleco teapot was designed by Greta in Graz",
    "LETTERTOPICS": "gravity|marriage|comets|music lessons|debts|the immortal soul|sea voyages|printing presses|fever|gardens|a lost manuscript|clocks",
    "PHRASES": "where is the station|I have a reservation|the bill please|good luck with the exam|see you on Friday|my luggage is lost|how much does it cost|I am allergic to nuts",
    "TONGUES": "Spanish|German|Hindi|Japanese|Swahili|Finnish|Tamil|Portuguese|Arabic|Polish|Korean|Marathi|Italian|French",
    "WORDS": "serendipity|ephemeral|bamboozle|quixotic|petrichor|gossamer|candid|wanderlust|resilient|nonchalant|zephyr|halcyon",
    "ZONES": "Asia/Kolkata|Europe/Berlin|America/New_York|Asia/Tokyo|Australia/Sydney|America/Sao_Paulo|Africa/Nairobi|Europe/London|America/Los_Angeles",
    "AGENCIES": "passport office|tax office|department of motor vehicles|land registry|social security office|city hall|election commission",
    "PARKS": "Yellowstone|Kruger|Banff|Jim Corbett|Yosemite|Serengeti|Plitvice Lakes|Torres del Paine|Kaziranga|Acadia",
    "BEACHES": "Bondi|Copacabana|Varkala|Waikiki|Praia da Rocha|Palolem|Nungwi|Tulum",
    "PEAKS": "Mont Blanc|Kilimanjaro|Ben Nevis|Triglav|Fuji|Nanda Devi|Aconcagua|Mount Rainier",
    "EVENTNAMES": "Harbour Jazz Night|Monsoon Book Fair|Night Market|Lantern Parade|Cheese and Cider Day|Indie Games Expo|Open Studio Weekend|Tango Marathon",
    "TOPICS": "electric buses|local elections|rice prices|space telescopes|train strikes|heat waves|chess world championship|new vaccines|coral reefs|semiconductor chips",
    "STATIONS": "Central Station|Kings Cross|Howrah Junction|Gare du Nord|Union Station|Shinjuku|Majestic|Alexanderplatz|Atocha|Churchgate",
    "SLASHDATES": "04/17/2025|11/02/2025|07/30/2026|01/09/2026|09/21/2025|12/05/2026|06/14/2026",
    "DATETIMES": "2025-06-03T09:30:00|2026-01-18T14:00:00|2025-11-27T18:45:00|2026-04-09T08:15:00|2025-09-30T20:00:00",
    "PASTDAYS": "2024-03-11|2023-11-02|2025-01-27|2022-06-15|2024-08-30|2025-04-09|2021-12-18|2023-02-21|2024-10-05|2025-02-14|2022-09-08",
    "RECENTDAYS": "2025-05-16|2025-09-23|2025-11-28|2026-01-12|2026-02-03|2025-12-31|2026-03-19|2025-08-07|2026-04-24",
    "BIRTHDAYS": "1984-03-09|1991-11-30|1968-07-22|2001-01-05|1976-05-17|1959-12-01|1998-08-26|1988-10-14",
    "EARLYDAYS": "2026-07-03|2026-07-01|2026-07-05|2026-07-02|2026-07-06|2026-07-04|2026-07-07|2026-07-08",
    "LATEDAYS": "2026-07-10|2026-07-12|2026-07-11|2026-07-15|2026-07-13|2026-07-09|2026-07-17|2026-07-14",
    "METRO": "Central|Market Square|City Hall|Harbour|University|Old Mill|Park Road|Stadium|Airport|Museum|Botanical Garden|Exhibition Centre",
    "MONTHS": "January|February|March|April|May|June|July|August|September|October|November|December",
    "SEASONSPANS": "2019-20|2020-21|2021-22|2022-23|2023-24|2024-25",
}.items()}

OBJECTS = {
    "PASSENGERS": ("{adults} adults and {children} children", {"adults": ("int:2:5", "Number of adults"), "children": ("int:2:4", "Number of children")}),
    "CARTLINE": ("{quantity} x {product}", {"product": ("word:GOODS", "What is bought"), "quantity": ("int:2:9", "How many")}),
    "ORDERLINE": ("{count} {dish}", {"dish": ("word:DISHES", "Name of the dish"), "count": ("int:2:6", "Portions")}),
    "STOP": ("{city} for {nights} nights", {"city": ("word:CITIES", "Where to stay"), "nights": ("int:2:9", "Nights there")}),
    "RANGE": ("between {min} and {max}", {"min": ("int:20:90", "Lowest"), "max": ("int:100:900", "Highest")}),
    "BUDGET": ("from {low} to {high} {currency}", {"low": ("int:50:400", "At least"), "high": ("int:500:5000", "At most"), "currency": ("word:MONEY", "Currency code")}),
    "PERSON": ("{name}, {age} years old", {"name": ("word:FIRSTS", "First name"), "age": ("int:4:85", "Age in years")}),
    "CONTACT": ("{name} ({email})", {"name": ("word:FIRSTS", "Name"), "email": ("word:EMAILS", "Mail address")}),
    "CONDITION": ("{column} = {value}", {"column": ("pick:status:stage:tag:tier", "Name of the column"), "value": ("pick:open:shipped:overdue:gold:pending:vip:archived", "Value it must have")}),
    "SPOT": ("{latitude}, {longitude}", {"latitude": ("float:-60:70", "Latitude in degrees"), "longitude": ("float:-170:170", "Longitude in degrees")}),
    "EXERCISE": ("{sets} sets of {reps} {exercise}", {"exercise": ("word:EXERCISES", "The exercise"), "sets": ("int:2:5", "Sets"), "reps": ("int:6:20", "Repetitions in a set")}),
    "HOLDING": ("{shares} shares of {ticker}", {"ticker": ("word:TICKERS", "Ticker symbol"), "shares": ("int:2:400", "Number of shares")}),
    "TAG": ("{key}={value}", {"key": ("pick:team:env:owner:costcenter", "Key of the tag"), "value": ("pick:web:staging:lena:ops:prod:r42", "Value of the tag")}),
    "MARK": ("{subject}: {marks}", {"subject": ("word:SUBJECTS", "Subject"), "marks": ("int:35:100", "Marks out of 100")}),
    "FROMTO": ("{start} to {finish}", {"start": ("word:CITIES", "Where it starts"), "finish": ("word:CITIES", "Where it ends")}),
    "PARCEL": ("{weight} kg, {length} cm long", {"weight": ("float:0.5:25", "Weight in kg"), "length": ("int:10:120", "Length in cm")}),
}
# By the first of their names, those of the other files too: who stands in one line could do another's work, and they are never offered together.
SAME = [set(line.split()) for line in """
hotel_booking.find_rooms hostel_beds vacationRental.search search_hotels book_hotel_room find_attractions find_nearby plan_itinerary
rental_listings real_estate.find_listings find_houses search_properties get_average_rent estimate_rent vacationRental.search
park.reserve_campsite book_hotel_room hotel_booking.find_rooms
room_service order_delivery order_dishes food_order.place customize_pizza get_menu coffee_order
loyalty_points award_flight_miles
cheapest_day_to_fly search_flights flights.book_seat plan_itinerary
flights.book_seat choose_seat online_check_in
busTickets.buy find_trains plan_journey buy_ticket train_seat_availability next_departures
train_seat_availability find_trains pnr_status
platform_of_train next_departures check_line_status
ferry_timetable next_departures plan_journey
metro_route plan_journey get_directions get_travel_time fastest_route
fastest_route get_directions get_distance get_travel_time places_along traffic_now walk_time plan_journey
walk_time get_travel_time get_distance get_directions
traffic_now check_line_status get_travel_time
elevation_profile get_elevation get_directions
optimise_stops plan_journey get_directions multi_city_trip itinerary.build plan_itinerary
itinerary.build multi_city_trip plan_itinerary find_attractions
car_rental.reserve rent_car
trade_in_quote find_used_cars estimate_home_value
vehicle_recall_check part_compatibility
find_parking find_nearby find_attractions places_api.nearby_by_type find_charging_stations
rideShare.request ride_fare_estimate ride_eta get_travel_time
places_api.nearby_by_type find_nearby find_attractions restaurant_finder.by_cuisine find_doctor find_polling_place get_office_hours nearest_blood_donation
reverse_geocode geocode_address postal_code_of
current_weather get_weather_forecast get_humidity hourly_rain_chance get_historical_weather wind_chill heat_index
hourly_rain_chance get_weather_forecast rain_volume storm_alerts
snow_depth surf_report get_weather_forecast current_weather
pollen_count get_air_quality aqi_by_coordinates get_weather_forecast
storm_alerts get_weather_forecast create_alert
tide_times surf_report get_sunrise
restaurant_finder.by_cuisine find_restaurants find_nearby get_hotel_reviews
table_waitlist.join book_table
dish_of_the_day get_menu
grocery_slot order_goods order_delivery
recipes.suggest_from_pantry recipes_by_ingredients find_recipe find_recipe_without ingredient_substitute get_cooking_time
meal_plan.generate find_recipe daily_calorie_need find_recipe_without recipes_by_ingredients
wine_pairing search_products
vitamin_content macro_split get_nutrition food_nutrition barcode_lookup check_allergens
macro_split get_nutrition food_nutrition
barcode_lookup search_products shop.search_catalog
track_water log_meal water_intake water_need daily_water
is_food_safe check_allergens feeding_amount get_breed_info get_nutrition
mortgage_preapproval loan_payment mortgage_total
neighbourhood_profile crime_statistics school_ratings
property_tax_history calculate_property_tax estimate_home_value
sports.match_result get_match_result team_results head_to_head cricket_scorecard
head_to_head get_standings team_results
athlete_stats.season get_player_stats rank_players league_leaders get_standings game_stats
league_leaders rank_players get_standings
tennis_ranking rank_players get_player_stats
team_injuries get_team_roster transfer_news
race_winner get_match_result
olympic_medals get_standings rank_countries
stadium_info next_match
marathon_register rsvp_event
chess.explain_opening best_chess_move get_game_rules card_game_rules
card_game_rules get_game_rules evaluate_poker_hand
board_game_score_sheet record_game_score
loot.drop_rate crafting_recipe give_item
game_release_date get_game_review
achievement_progress get_player_stats game_stats get_leaderboard
matchmaking.join_queue start_match
trivia_question make_quiz
lottery_numbers draw_cards set_intersection
twitch_like.stream_status where_to_stream
sudoku.generate make_quiz
music_theory.interval_between get_scale get_chord scale_notes scale_degrees
scale_degrees get_scale scale_notes key_signature chord_progression
key_signature get_scale scale_notes get_chord
guitar_chord_shape get_chord transpose_chord
time_signature_of find_sheet_music find_compositions
music_player.queue_song play_song
similar_artists artists_of_movement
album_tracklist concert_setlist get_lyrics
identify_song get_lyrics quote_source
concert_setlist find_concerts get_tour_dates
charts.top_songs bestseller_list
sheet_transposer transpose_chord find_sheet_music
instrument_rental.quote get_instrument_price
tutor.hire find_music_teacher find_courses
movies.search_by_genre recommend_movies find_movies_by_genre celebrity.filmography
movie_tickets.reserve find_showtimes buy_event_tickets buy_concert_tickets
film_age_rating get_movie_reviews
series.next_episode get_episode series_episode_list where_to_stream
celebrity.filmography get_cast get_biography celebrity_relationships net_worth_of
film_awards get_movie_reviews
library.check_availability reserve_book search_books
isbn.lookup get_author get_book_summary search_books
renew_loan reserve_book
recommend_next_read search_books bestseller_list get_book_summary
quote_source find_verse get_author
audiobook_length get_book_summary
museum.current_exhibits find_exhibitions find_events museum_visit.reserve
museum_visit.reserve museum_ticket_price museum.tickets buy_event_tickets get_museum_hours
object_in_collection get_artwork_info find_artworks
painting_facts get_artwork_info find_artworks sculpture.info color_palette_of
sculpture.info get_artwork_info find_artworks
commission_statue create_sculpture
art_auction.lots find_artworks find_exhibitions
artists_of_movement find_artworks
history.reign_of get_ruler get_biography get_event_date date_of_event
war_summary get_event_date get_causes_of_event era_facts date_of_event compare_events get_biography
treaty_terms get_event_date get_causes_of_event get_law_text date_of_event
empire_at_peak get_empire_extent get_population get_area era_facts
archive.search_letters search_in_files get_biography
archaeology_sites find_attractions
philosopher_ideas get_biography
religion.festival_date get_holiday_date get_public_holidays get_traditions get_event_date
religion_statistics get_religion_info get_population
holy_text.get_passage find_verse get_religion_info
prayer_times get_sunrise get_religion_info places_of_worship
places_of_worship get_religion_info find_nearby
case_documents.fetch get_case_details search_cases case_outcome
case_outcome get_case_details search_cases find_court_cases lawsuits.search_by_company look_up_precedents
lawsuits.search_by_company search_cases find_court_cases
attorney_match find_lawyer
statute_section get_law_text get_penalty
doctor_appointments.book book_doctor_appointment find_doctor therapist_session lab_test.order
dosage_for_child medicine_dose get_medicine_info
side_effects.of get_medicine_info drug_interactions
patient_history.get get_patient_record
condition_overview check_symptoms get_medicine_info
vaccine_schedule get_visa_requirements get_travel_advisory
calories_by_activity calories_burned daily_calorie_need
gym_class.sign_up find_courses
exercises_for_muscle workout.create_routine
step_goal.set log_vitals
frost_dates best_planting_time
companion_plants crop_rotation get_plant_care
pest_remedy get_plant_care identify_plant_disease
seeds.order order_goods
kennel.book_stay book_vet vet_visit
university.course_catalog find_courses find_universities
tuition_estimate admission_info find_universities
acceptance_rate admission_info find_universities
school_ratings get_product_reviews find_universities
report_card.publish add_grade get_grade
scholarships.search find_universities
exam_timetable list_events find_courses
job_board.search search_jobs match_skills
resume.parse_skills match_skills find_candidates
interview.schedule calendar.book_slot create_event therapist_session doctor_appointments.book
freelancer.hire match_skills hire_tradesman
hr.leave_balance get_employee request_leave
payroll.get_payslip get_employee get_salary
headcount_by_department count_records count_rows get_employee query_table
performance_review.record add_grade
company_registry.lookup get_company_financials ceo_of subsidiaries.list
ceo_of get_representative get_biography
stock.quote_on_exchange get_stock_price compare_stocks get_company_financials ohlc.get
ohlc.get get_stock_price get_fund_performance compare_stocks
dividend_calendar get_company_financials dividend_yield ohlc.get
portfolio.evaluate get_stock_price get_fund_performance
index_constituents get_index_value
limit_order.place buy_shares
crypto.market_cap get_crypto_price
wallet.transfer_coin transfer_money
fx.rate_on_date convert_currency exchange_rate_history currency_exchange.convert_amount get_crypto_price
commodity_futures get_crop_price
census.query_population get_population
passport_renewal.apply apply_for_permit
agency.book_slot get_office_hours apply_for_permit calendar.book_slot
voter_registration find_polling_place
budget_spending rank_countries
report_pothole create_issue
shop.search_catalog search_products compare_prices product_tracker.history
product_tracker.history compare_prices set_price_alert
cart.update_items add_to_cart order_goods
orders.cancel_line return_item cancel_hotel_booking
shipment.track_by_number track_order order.change_address
apply_coupon order.change_address
social_media.schedule_post create_post schedule_job
profile.get_recent_posts search_posts
hashtag_reach post_analytics get_trending_topics search_posts
chat.send_direct send_message send_email mailbox.compose sms_campaign.send
voicemail.transcribe read_messages
mailbox.compose send_email forward_email send_message
inbox.filter_messages search_emails read_messages
email_rule.create move_email
calendar.book_slot create_event set_reminder book_doctor_appointment schedule_viewing
calendar.conflicts list_events find_free_slot
poll_dates find_free_slot rsvp_event meeting_overlap
meeting_overlap find_free_slot time_difference convert_timezone world_clock.in_zone
world_clock.in_zone get_current_time time_difference convert_timezone
smart_home.set_timer_for control_device turn_on_lights activate_scene
blinds.set_position control_device
light_color.set turn_on_lights control_device
alarm_system.arm control_device lock_door activate_scene set_alarm
vacuum.clean_zones start_vacuum control_device
meter_reading.submit log_vitals
crud.find_documents query_table query_records count_records search_products
table.add_column update_record
crm.create_lead add_contact
cloud_storage.upload backup_table copy_file create_backup
vm.resize scale_service create_server
cloud_bill.by_service get_metric
ci_pipeline.trigger deploy_service
incident.declare create_issue create_alert
container.logs_tail get_logs search_in_files
issue_tracker.move update_record create_issue
translator.translate_phrase translate_text translate_phrase
word_of_the_day define_word
etymology.of_word define_word
conjugate_verb translate_text
text.summarize_to summarize_article get_book_summary
sentiment.analyze detect_language
countdown_to days_between workdays_between weekday_of_date
random_user.generate pick_random_name
coin_flip roll_dice random_number draw_cards
passphrase.from_words password_entropy
shuffle_list pick_random_name draw_cards
random_color color_palette_of random_number
trail_finder.by_peak find_attractions
event_planner.create invite_guests create_event caterer.request_offer
news_api.by_source search_news get_headlines news_digest summarize_article
podcast.find_episodes search_news news_digest get_headlines
travel_insurance.quote get_insurance_quote check_coverage
visa_application.status get_visa_requirements
packing_list.for_trip luggage_allowance
find_atm_fees currency_exchange.convert_amount
report_lost_bag report_lost_pet
subtitle_download where_to_stream
soundtrack_of find_compositions identify_song
practice_timer.log log_vitals
timesheet.submit_hours log_vitals
fridge_inventory.add log_meal
airport_code_of find_airport_lounge
name_meaning etymology.of_word define_word
gift_registry.create event_planner.create create_event invite_guests
repair_shop.book hire_tradesman book_car_service
transliterate translate_text translate_phrase translator.translate_phrase
coach_of_team get_team_roster stadium_info
series_popularity get_box_office
museum_compare museum_ticket_price museum.current_exhibits
horoscope.daily chinese_zodiac
case_outcome case_summary judge_profile
case_documents.fetch case_summary
war_summary battle_details list_wars event_date_lookup
treaty_terms treaty_lookup event_date_lookup
history.reign_of monarch_reign get_president event_date_lookup
archaeology_sites archaeological_sites
lawsuits.search_by_company lawsuits_by_party case_summary
statute_section constitution_article statute_of_limitations
trademark_search patent_search
scale_degrees interval_between_notes
music_theory.interval_between interval_between_notes
sentiment.analyze sentiment_analysis
dosage_for_child pediatric_dose
world_clock.in_zone get_time_zone
religion.festival_date easter_date
random_color resistor_color_code
country_calling_code country_info
census.query_population country_info largest_cities population_density
religion_statistics country_info
philosopher_ideas scientist_discoveries
mortgage_preapproval debt_to_income calculate_mortgage_payment
calories_by_activity vo2_max
payroll.get_payslip payroll_deductions
patient_history.get lab_reference_range
budget_spending get_economic_indicator
elevation_profile flight_distance_coordinates
""".strip().split("\n")]

FUNCTIONS = [
    # Where people stay.
    F("hotel", "hotel_booking.find_rooms|findAvailableRooms", "Search for hotel rooms that are free in a given city for the nights wanted, filtered by stars and amenities.|Find free rooms in a city", "city=word:CITYSTATE=City and state, e.g. 'San Diego, CA'|check_in=word:EARLYDAYS=Date of arrival, YYYY-MM-DD|check_out=word:LATEDAYS=Date of departure, YYYY-MM-DD|star_rating?=int:2:5=Stars of the hotel|amenities?=words:AMENITIES=What the hotel must offer|room_type?=enum:single:double:suite=Type of the room, default is double",
      ["Find me a hotel room in {city} from {check_in} to {check_out}", "what rooms are free in {city}? we arrive {check_in} and leave {check_out}[, something with {amenities}|]", "I've got a conference in {city}. I fly in on {check_in} and out on {check_out}, so I need a bed there", "{city}, {check_in} - {check_out}, {star_rating} star hotel rooms", "kindly check which hotels in {city} have rooms, check in {check_in}, check out {check_out}", "We need a {room_type:suite~whole suite} in {city}, {check_in} until {check_out}"]),
    F("hotel", "hostel_beds|search_hostel_beds", "Look for free beds in hostels.", "town=word:CITIES=The town|date=date=Night wanted, YYYY-MM-DD|beds=int:2:12=How many beds|dorm_type?=enum:mixed:female:male=Dormitory, default is mixed|max_price?=float:8:60=Highest price of a bed",
      ["find {beds} hostel beds in {town} for {date}", "we're backpacking, {beds} of us, and reach {town} on {date}. Any hostel?", "hostel {town} {date} x{beds}[|, max {max_price} per bed]", "{beds} beds in a {dorm_type:female~women only} dorm, {town}, {date}", "Is there a hostel in {town} with {beds} free beds on {date}[ for no more than {max_price} each|]?"]),
    F("hotel", "vacationRental.search|holiday_home_finder", "Finds holiday homes to rent. Returns a list of homes with their price a night and the host.", "destination=word:CITYCOUNTRY=Town and country, as 'Porto, Portugal'|party=obj:PASSENGERS=Who travels|weeks=int:2:4=For how many weeks|pets_allowed?=bool=Whether animals are welcome, default is false|property_type?=enum:apartment:villa:cabin:houseboat=Kind of home",
      ["find a holiday home in {destination} for {party}, {weeks} weeks", "we are {party} and want to spend {weeks} weeks in {destination}. What homes are there?", "{weeks} week rental, {destination}, {party}[, {pets_allowed:true~the dog comes too}|]", "some {property_type} to rent in {destination}: {weeks} weeks, {party}", "Please show holiday lets for {party} at {destination} for {weeks} weeks"]),
    F("hotel", "request_late_checkout|guest.late_checkout", "Request to leave a hotel room later than usual.", "room_number=int:101:990:any=Number of the room|checkout_time=time=When the guests leave|reservation?=code=Number of the reservation",
      ["we're in room {room_number} and would like to leave at {checkout_time} instead", "late checkout for room {room_number}, {checkout_time}", "can I keep room {room_number} until {checkout_time}[? my reservation is {reservation}|]?", "My flight goes in the evening, so room {room_number} would rather check out at {checkout_time}"]),
    F("hotel", "room_service|orderRoomService", "Order food and drinks to a hotel room.", "room=int:101:990:any=Room number|items=words:DISHES=What to bring up|deliver_at?=time=When to bring it, as soon as possible unless told|charge_to_room?=bool=Whether it goes on the bill of the room, default is true",
      ["bring {items} to room {room}", "room {room} here, could we get {items}[ at {deliver_at}|]?", "order {items} to {room}, {charge_to_room:false~I'll pay cash}", "I'm starving in room {room}. Send up {items} please", "room service: {room}, {items}[|, deliver at {deliver_at}]"]),
    F("hotel", "loyalty_points|hotel.member_points", "Points a guest has in the loyalty programme of a hotel chain.", "member_id=code=Number of the member|programme?=pick:Meridian Rewards:Lotus Club:Kestrel Nights=Name of the programme|include_expiring?=bool=Whether to show which points run out soon",
      ["how many points has member {member_id}?", "I'd like to know what's on my loyalty account, {member_id}[ with {programme}|]", "points of {member_id}[, {include_expiring:true~and which ones run out soon}|]", "check {programme} points for {member_id}"]),
    # Flights.
    F("flight", "cheapest_day_to_fly|flightCalendar.cheapest", "Find the cheapest day of a month to fly between two airports.", "from_airport=word:AIRPORTS=IATA code of the airport of departure|to_airport=word:AIRPORTS=IATA code of the airport of arrival|month=word:MONTHS=Month|year?=year:2025:2027=Year, default is the current one|nonstop?=bool=Only flights without a stop, default is false",
      ["which day in {month} is it cheapest to fly {from_airport} to {to_airport}?", "I can go any day in {month}, {from_airport} to {to_airport}, when do I pay least?", "{from_airport}-{to_airport} low fares {month}", "find the cheapest date to get to {to_airport} from {from_airport} in {month}[ {year}|][, {nonstop:true~no stops}|]", "My sister lives near {to_airport}. From {from_airport}, on what day of {month} are tickets lowest?"]),
    F("flight", "flights.book_seat|bookFlightTicket", "Books a flight. The airports are given by their three letter codes and the day in the form YYYY-MM-DD.", "origin=word:AIRPORTS=Three letter code of the departure airport|destination=word:AIRPORTS=Three letter code of the arrival airport|departure_date=date=Day of departure, YYYY-MM-DD|travellers=int:2:9=Number of travellers|cabin_class?=enum:economy:premium:business:first=Cabin, default is economy|return_date?=date=Day of the flight back, YYYY-MM-DD|airline?=word:AIRLINES=Preferred airline",
      ["book {travellers} tickets {origin} to {destination} on {departure_date}", "Book me from {origin} to {destination}: {travellers} people, leaving {departure_date}[, back on {return_date}|]", "we are {travellers} and have to be in {destination} on {departure_date}, flying from {origin}. Please book it", "{travellers} pax {origin}/{destination} {departure_date} {cabin_class}", "get {travellers} seats with {airline} to {destination}, from {origin}, {departure_date}", "kindly do the booking of {travellers} seats, {origin} to {destination}, dated {departure_date}"]),
    F("flight", "choose_seat|seatMap.assign", "Choose a seat on a flight already booked.", "flight_number=word:FLIGHTS=Flight number|seat=pick:12A:7C:31F:2D:18B:24E:9A=Row and letter|passenger=word:FIRSTS=Name of the passenger|extra_legroom?=bool=Whether to pay for more room",
      ["put {passenger} in seat {seat} on {flight_number}", "on flight {flight_number} I want {seat} for {passenger}", "{passenger} gets sick at the back. Could you move them to {seat} on {flight_number}?", "{flight_number}: {passenger} -> {seat}", "seat {seat}, {flight_number}, passenger {passenger}[, {extra_legroom:true~with more legroom}|]"]),
    F("flight", "online_check_in|airline.checkin", "Check in online for a flight.", "booking_reference=pick:QX7P2L:LM40ZT:B8HR2K:W1NN6D:TT93PO=Six letters and digits|last_name=word:FIRSTS=Name on the ticket|checked_bags?=int:2:4=Bags to hand in, default is 0",
      ["check me in, {booking_reference}, name {last_name}", "online check-in for {last_name}, reference {booking_reference}", "I fly tomorrow; my reference is {booking_reference} and the ticket says {last_name}. Check me in[ with {checked_bags} bags|]", "can you do the check in for {booking_reference} ({last_name})?"]),
    F("flight", "report_lost_bag|lostBaggage.report", "Report a bag that did not arrive.", "flight_no=word:FLIGHTS=Flight it was on|bag_color=word:COLORS=Colour of the bag|contact_email=word:EMAILS=Where to write|bag_tag?=code=Number on the tag",
      ["my {bag_color} suitcase never came off {flight_no}, write to {contact_email}", "report a lost {bag_color} bag from flight {flight_no}, mail {contact_email}[|, tag {bag_tag}]", "lost luggage: {flight_no}, {bag_color}, {contact_email}", "I waited an hour at the belt and nothing. Flight was {flight_no}, the bag is {bag_color}, reach me at {contact_email}"]),
    F("flight", "airport_security_wait|airportWaitTime", "How long one waits at security in an airport.", "airport_code=word:AIRPORTS=IATA code|terminal?=pick:1:2:3:B:D=The terminal|at_time?=time=Time of day, default is now",
      ["how long is the security line at {airport_code}?", "security wait {airport_code}[ terminal {terminal}|]", "I'm heading to {airport_code}[, I'll be there at {at_time}|]. How bad are the queues at security?", "waiting time at {airport_code} security right now?"]),
    F("flight", "award_flight_miles|miles_needed", "Miles needed for an award flight.", "programme=word:AIRLINES=Airline whose miles they are|route=obj:FROMTO=Where from and where to|cabin?=enum:economy:business:first=Cabin, default is economy|round_trip?=bool=There and back, default is false",
      ["how many {programme} miles do I need for {route}?", "miles for {route} with {programme}, {cabin}", "I've been saving {programme} miles; what does {route} take[, {round_trip:true~there and back}|]?", "{programme}, award ticket {route}, number of miles"]),
    F("flight", "find_airport_lounge|lounges_at", "List the lounges of an airport.", "airport=word:AIRPORTS=IATA code of the airport|access_card?=pick:Priority Lounge:DragonCard:Nordwind Gold=Card for access|with_showers?=bool=Only lounges with showers",
      ["lounges at {airport}?", "I've six hours to kill in {airport}, which lounge can I get into[ with {access_card}|]?", "list the lounges of {airport}[, {with_showers:true~I need a shower}|]", "which lounges take {access_card} at {airport}"]),
    # Trains, buses, boats.
    F("rail", "train_seat_availability|seat_availability.check", "Check how many seats are left on a train.", "train_number=pick:12627:ICE 571:TGV 8541:22691:RE 4418:IC 2023=Number of the train|journey_date=date=Day of the journey, YYYY-MM-DD|coach_class?=enum:sleeper:3AC:2AC:1AC:chair_car=Class of the coach, default is sleeper|quota?=enum:general:tatkal:ladies=Quota",
      ["seats left on train {train_number} on {journey_date}?", "is {train_number} full on {journey_date}[, I want {coach_class:chair_car~a chair car}|]?", "check availability {train_number} dated {journey_date} {coach_class:2AC~second AC} sir", "Please tell if seat is there in {train_number} for {journey_date}[, {quota} quota|]", "We travel {journey_date}. How many free seats has {train_number}?"]),
    F("rail", "pnr_status|rail.pnr", "Status of a rail booking by its PNR.", "pnr=pick:4218837710:8825016634:2710049912:6649120085=Ten digits|notify_phone?=phone=Phone to send changes to",
      ["PNR {pnr} status", "is my ticket confirmed? PNR is {pnr}", "kindly check PNR no. {pnr} and tell if waiting list cleared[, send changes to {notify_phone}|]", "look up the rail booking {pnr}", "passenger wants to know status of PNR {pnr}"]),
    F("rail", "platform_of_train|which_platform", "Which platform a train leaves from.", "station=word:STATIONS=The station|train=pick:12627:ICE 571:TGV 8541:22691:RE 4418:IC 2023=Number of the train|day?=date=Day, YYYY-MM-DD, default is today",
      ["which platform does {train} leave from at {station}?", "I'm at {station}, looking for {train}. What platform?", "platform {train} {station}[| {day}]", "{train} from {station}, platform please"]),
    F("rail", "busTickets.buy|buy_coach_ticket", "Buy tickets for a long distance coach.", "origin=word:CITIES=Town of departure|destination=word:CITIES=Town of arrival|travel_date=date=Day, YYYY-MM-DD|seat_type?=enum:sleeper:semi_sleeper:seater=Seat, default is seater|seats?=int:2:6=How many, default is 1|operator?=pick:Redline Coaches:VRB Travels:Nightstar:Eurohop=Company",
      ["buy a coach ticket from {origin} to {destination} for {travel_date}", "I need the bus {origin} to {destination} on {travel_date}[, {seats} seats|]", "coach {origin} > {destination}, {travel_date}, {seat_type:sleeper~a berth to lie down in}", "get me on the {operator} coach to {destination} on {travel_date}, starting from {origin}", "Going home to {destination} from {origin}. Book one bus ticket for {travel_date} please"]),
    F("rail", "ferry_timetable|ferries.timetable", "Get the timetable of a ferry line.", "departure_port=pick:Piraeus:Dover:Tallinn:Algeciras:Bari:Genoa:Oban=Port it leaves from|arrival_port=pick:Naxos:Calais:Helsinki:Tangier:Durres:Palermo:Mull=Port it goes to|day=date=Day, YYYY-MM-DD|with_vehicle?=bool=Only ferries that take cars",
      ["when do ferries leave {departure_port} for {arrival_port} on {day}?", "ferry {departure_port} - {arrival_port} {day}[, {with_vehicle:true~I bring the car}|]", "timetable of the boat to {arrival_port} from {departure_port}, {day}", "We want to cross from {departure_port} to {arrival_port} on {day}. What times are there?"]),
    F("transit", "metro_route|subway.route", "Route between two stations of the metro.", "start_station=word:METRO=Where one gets in|end_station=word:METRO=Where one gets out|prefer?=enum:fewest_changes:fastest:least_walking=What matters, default is fastest",
      ["metro from {start_station} to {end_station}", "which line do I take at {start_station} for {end_station}?", "I'm standing in {start_station} with two suitcases; how do I get to {end_station} by metro, {prefer:fewest_changes~with as few changes as possible}?", "to {end_station}, from {start_station}, underground, {prefer:least_walking~my knee hurts so little walking}"]),
    F("transit", "top_up_travel_card|travelcard.topup", "Top up a card for public transport.", "card_number=code=Number of the card|amount=int:5:200=How much money|auto_reload?=bool=Whether to do it again when it is empty, default is false",
      ["top up card {card_number} with {amount}", "put {amount} on my metro card, number {card_number}[, {auto_reload:true~and again whenever it's empty}|]", "travel card {card_number} +{amount}", "My travel card {card_number} is nearly empty, load {amount}"]),
    # Cars.
    F("car", "car_rental.reserve|rentalCar_book", "Reserve a rental car. Pick-up and drop-off may be in different cities.", "pickup_city=word:CITYSTATE=Where it is picked up, as 'City, State'|pickup_date=word:SLASHDATES=Pick-up day, MM/DD/YYYY|dropoff_city?=word:CITYSTATE=Where it is left, default is the city of pick-up|days=int:2:28=For how many days|vehicle_class?=word:CARTYPES=Kind of car, default is compact|insurance?=bool=Whether to add full insurance, default is false",
      ["reserve a rental car in {pickup_city} on {pickup_date} for {days} days", "I land in {pickup_city} on {pickup_date} and need a car for {days} days", "rental: {pickup_city} {pickup_date}, {days} days, {vehicle_class}", "car for {days} days from {pickup_date:04/17/2025~April 17, 2025}, {pickup_city}", "car for {days} days from {pickup_date:11/02/2025~2 November 2025}, {pickup_city}", "car for {days} days from {pickup_date:01/09/2026~9 January 2026}, {pickup_city}", "get us a {vehicle_class} for {days} days, picked up {pickup_date} in {pickup_city} and dropped in {dropoff_city}", "Could you book a car for {days} days starting {pickup_date}, {pickup_city}[, {insurance:true~fully insured}|]?"]),
    F("car", "vehicle_recall_check|recalls.lookup", "Look up recalls of a car model.", "model=word:CARMODELS=The model|model_year=year:1998:2025=Year it was built|country?=word:COUNTRYCODES=Country code, default is US",
      ["are there recalls for a {model_year} {model}?", "I drive a {model} from {model_year}. Has it been called back?", "recall check {model} {model_year}[ {country}|]", "was the {model}, year {model_year}, ever recalled?"]),
    F("car", "part_compatibility|autoParts.fits", "Whether a spare part fits a car.", "part=pick:brake pads:air filter:wiper blades:timing belt:spark plugs:headlight bulb=The part|car_model=word:CARMODELS=The car|production_year=year:1998:2025=Year it was built|oem_only?=bool=Only parts of the maker, default is false",
      ["do these {part} fit a {production_year} {car_model}?", "I bought {part} for my {car_model}, built {production_year}. Will they fit?", "{car_model} {production_year} {part} compatible?", "check fit: {part}, {car_model}, {production_year}[, {oem_only:true~original parts only}|]"]),
    F("car", "find_parking|parkingSpots.search", "Find a parking place near a spot.", "near=word:LANDMARKS=Where it should be near|arrival=time=When the car comes|hours?=int:2:24=For how many hours, default is 2|covered?=bool=Under a roof|max_hourly?=float:1:15=Highest price an hour",
      ["find parking near {near} at {arrival}", "where can I leave the car close to {near}? I'm there at {arrival}[ and stay {hours} hours|]", "parking {near} {arrival}[, {covered:true~under a roof}|]", "We meet friends at {near}, {arrival}. Any car park for under {max_hourly} an hour?", "need a parking space from {arrival} around {near}", "I'll reach {near} at {arrival} and need somewhere to leave my car"]),
    F("car", "registration_renewal_fee|plate_renewal_fee", "Fee for renewing the registration of a car.", "state=word:USSTATES=US state|vehicle_type=enum:car:motorcycle:truck:trailer=Kind of vehicle|vehicle_weight?=int:500:9000=Weight in pounds|electric?=bool=Whether it runs on electricity, default is false",
      ["what does it cost to renew my {vehicle_type} plates in {state}?", "registration renewal {state} {vehicle_type}[, {electric:true~it's electric}|]", "I moved to {state} with my {vehicle_type}. What's the renewal fee[, it weighs {vehicle_weight} pounds|]?", "{vehicle_type} registration fee for {state}"]),
    F("car", "trade_in_quote|usedCar.tradeIn", "What a dealer gives for a used car.", "model=word:CARMODELS=The model|year=year:2002:2025=Year it was built|mileage=int:5000:240000=Miles driven|condition?=enum:excellent:good:fair:poor=Condition, default is good",
      ["what would a dealer give me for a {year} {model} with {mileage} miles?", "my {model} ({year}) has {mileage} miles on it and is in {condition} shape. What's it worth in trade?", "trade-in quote: {model}, {year}, {mileage} mi", "I drove {mileage} miles in a {year} {model}; now I want to hand it in for a new one. How much do I get?", "quote for trading in a {model} of {year}, {mileage} miles, {condition:poor~pretty beaten up}", "I own a {model} from {year} with {mileage} miles on the clock and want to swap it for a new car. Any offers?"]),
    # Rides.
    F("ride", "rideShare.request|request_ride", "Request a ride from one place to another.", "pickup=word:ADDRESSES=Address of pick-up|dropoff=word:ADDRESSES=Address of drop-off|ride_type?=enum:standard:shared:premium:xl=Kind of ride, default is standard|stops?=words:LANDMARKS=Stops on the way",
      ["get me a ride from {pickup} to {dropoff}", "I need a cab to {dropoff}, pick me up at {pickup}", "{pickup} -> {dropoff}, {ride_type:xl~a big one for six}", "book one auto from {pickup} till {dropoff} na", "Send one {ride_type} car to {pickup}. We go to {dropoff}", "car from {pickup} to {dropoff} with a stop at {stops}"]),
    F("ride", "ride_fare_estimate|estimateFare", "Estimate the fare of a ride.", "start=word:LANDMARKS=Where it starts|end=word:LANDMARKS=Where it ends|service?=enum:economy:comfort:van=Kind of car, default is economy|currency?=word:MONEY=Currency of the answer",
      ["what would a taxi from {start} to {end} cost?", "fare {start} to {end}[ in {currency}|]", "roughly how much is a ride to {end} from {start}[, {service}|]?", "I'm at {start} and wonder what they charge to {end}"]),
    F("ride", "ride_eta|driverEta", "When the driver of a booked ride arrives.", "ride_id=code=Number of the ride|share_with?=word:FIRSTS=Who else should see it",
      ["where is my driver? ride {ride_id}", "eta of ride {ride_id}", "how many minutes till {ride_id} is here[, and share it with {share_with}|]?", "my ride's number is {ride_id}, when does the driver come"]),
    F("ride", "driver_feedback.submit|leave_driver_feedback", "Send feedback on a driver.", "trip=code=Number of the trip|stars=int:1:5=Stars|compliment?=enum:friendly:clean_car:great_music:safe_driving=Compliment|tip?=float:1:20=Tip",
      ["{stars} stars for the driver of trip {trip}", "trip {trip}: give {stars} stars, {compliment:safe_driving~she drove so carefully}", "I want to rate my driver, it was trip {trip}, {stars} stars[ and a tip of {tip}|]", "driver feedback {trip} {stars} stars[, {compliment:clean_car~spotless car}|]"]),
    F("ride", "unlock_bike|bikeshare.unlock", "Unlock a shared bicycle or scooter.", "vehicle_code=code=Code on the vehicle|kind?=enum:bike:ebike:scooter=What it is, default is bike|minutes?=int:10:180=How long it is needed",
      ["unlock {vehicle_code}", "I'm standing next to a scooter with the code {vehicle_code}, open it please", "unlock the {kind} {vehicle_code}[ for {minutes} minutes|]", "can I take bike {vehicle_code} now?"]),
    # Routes and maps.
    F("routes", "fastest_route|get_driving_route", "Returns the fastest driving route between two places, with its length and time.", "start_location=word:CITYSTATE=Start, as 'City, State'|end_location=word:CITYSTATE=End, as 'City, State'|avoid_tolls?=bool=Whether to keep off toll roads, default is false|avoid?=some:highways:ferries:tunnels:bridges=What to keep off",
      ["fastest way to drive from {start_location} to {end_location}", "How do I drive to {end_location} from {start_location}[ {avoid_tolls:true~without paying tolls}|]?", "route {start_location} - {end_location}", "my mother moves from {start_location} to {end_location} and I drive the van, which road is fastest, {avoid_tolls:false~tolls are fine}?", "driving directions to {end_location}; starting in {start_location}; avoid {avoid}"]),
    F("routes", "walk_time|walkingTime.between", "How long it takes to walk.", "origin=word:LANDMARKS=Start|destination=word:LANDMARKS=End|pace?=enum:slow:normal:brisk=Pace, default is normal|with_stairs?=bool=Whether stairs are allowed, default is true",
      ["how long do I walk from {origin} to {destination}?", "on foot {origin} to {destination}, {pace:slow~with a toddler}", "can we walk to {destination} from {origin}, and in what time[, {with_stairs:false~we have a pram so no stairs}|]?", "walking time {origin} > {destination}", "From {origin}, how many minutes is it to {destination} on foot?"]),
    F("routes", "optimise_stops|delivery_route.optimise", "Puts the stops of a round in the best order. The round starts and ends at the depot.", "depot=word:ADDRESSES=Start and end of the round|stops=words:CITIES=Places to visit|vehicle?=enum:van:bike:truck=Vehicle, default is van|leave_at?=time=When the round starts",
      ["best order to visit {stops}, starting at {depot}", "I deliver to {stops} today from {depot}. In what order[|, I leave at {leave_at}]?", "plan the round: depot {depot}, stops {stops}", "{depot} is where the {vehicle:bike~cargo bike} stands; it has to go to {stops}"]),
    F("routes", "traffic_now|live_traffic", "Traffic on a road right now.", "road=pick:A7:I-95:M25:Ring Road:Marine Drive:Route 66:Highway 101=Name of the road|direction?=enum:north:south:east:west=Direction|city?=word:CITIES=City",
      ["how is traffic on {road}?", "is {road} jammed[, going {direction}|]?", "traffic {road}, heading {direction}", "Leaving work now. Anything happening on {road}[ in {city}|]?", "live traffic for {road}"]),
    F("routes", "elevation_profile|route_climb", "Metres of climb of a bike or hiking route.", "from_point=obj:SPOT=Start|to_point=obj:SPOT=End|activity?=enum:cycling:hiking:running=Activity, default is cycling",
      ["how much climbing is there from {from_point} to {to_point}?", "climb between {from_point} and {to_point}[, {activity}|]", "I start at {from_point} and finish at {to_point}. How hilly is it?", "elevation profile {from_point} -> {to_point}"]),
    F("map", "reverse_geocode|addressAt", "Address of a point on the map.", "location=obj:SPOT=The point|language?=word:TONGUES=Language of the answer, default is English",
      ["what address is at {location}?", "reverse geocode {location}", "my phone says I'm at {location}. Where is that[, in {language}|]?", "which street lies at {location}", "Tell me the street and number for the point {location}"]),
    F("map", "places_api.nearby_by_type|find_place_of_type", "Find places of some kind around a street address.", "address=word:ADDRESSES=Street address|place_type=enum:pharmacy:atm:bakery:playground:post_office:library=Kind of place|radius_km?=float:0.5:10=Radius in km, default is 2|open_now?=bool=Only those open now, default is false",
      ["find a {place_type:playground~place for the kids to climb around} near {address}", "closest {place_type:atm~cash machine} to {address}", "I live at {address} and need a {place_type:pharmacy~chemist}[ {open_now:true~that's open right now}|]", "{place_type:bakery~fresh bread} within {radius_km} km of {address}", "Is there a {place_type:post_office~post office} around {address}?"]),
    F("map", "postal_code_of|zip_lookup", "Postal code of an address.", "street=word:ADDRESSES=Street and number|city=word:CITIES=City|country_code?=word:COUNTRYCODES=Country, two letters",
      ["postal code for {street}, {city}", "what's the zip of {street} in {city}?", "I'm addressing a letter to {street}, {city}[, country {country_code}|], which postcode belongs on it?", "{city}: postcode of {street}"]),
    # Weather and air.
    F("weather", "current_weather|weather.now", "Get the weather at this moment in a city. The city must be given with its state or country, such as 'Boise, ID'.", "location=word:CITYSTATE=City and state, e.g. San Francisco, CA|unit?=enum:celsius:fahrenheit=Unit of temperature, default is fahrenheit|include_wind?=bool=Whether to add the wind, default is false",
      ["What's the weather like in {location} right now?", "is it cold in {location}[ in {unit}|]?", "weather {location}", "I'm packing for {location}. How warm is it there at the moment, {unit:celsius~in Celsius}?", "{location}, weather now[, {include_wind:true~wind as well}|]", "tell weather of {location} please, {unit:fahrenheit~degrees F}"]),
    F("weather", "hourly_rain_chance|rainProbability", "Chance of rain hour by hour.", "city=word:CITYCOUNTRY=City and country|hours_ahead=int:2:48=How many hours ahead|threshold?=int:20:90=Only hours with at least this chance in percent",
      ["will it rain in {city} in the next {hours_ahead} hours?", "rain chance {city}, {hours_ahead} h", "we hang lanterns in {city} and need to stay dry for {hours_ahead} hours. What's the risk of rain?", "hour by hour rain for {hours_ahead} hours in {city}[, only those above {threshold} percent|]"]),
    F("weather", "aqi_by_coordinates|air_quality_index_at", "Air quality index at coordinates.", "point=obj:SPOT=Where|pollutant?=enum:pm25:pm10:ozone:no2=Which pollutant, default is pm25|standard?=enum:us:eu:india=Standard of the index",
      ["air quality at {point}?", "AQI for {point}[, {pollutant:ozone~just the ozone}|]", "my sensor stands at {point}; how clean is the air there[, by the {standard:eu~European} scale|]?", "index of air pollution, location {point}", "Is it healthy to jog at {point}?"]),
    F("weather", "pollen_count|pollen.forecast", "Pollen in the air.", "zip_code=word:ZIPS=US zip code|plant_family?=enum:grass:birch:ragweed:oak=Which pollen|days?=int:2:5=Days ahead, default is 1",
      ["pollen in {zip_code}?", "my eyes itch. How much {plant_family} pollen is there in {zip_code}?", "pollen count {zip_code}[, next {days} days|]", "Should I take my hay fever pill? I'm in {zip_code}"]),
    F("weather", "surf_report|waves.forecast", "Waves and wind at a beach.", "beach=word:BEACHES=The beach|date?=date=Day, YYYY-MM-DD, default is today|skill?=enum:beginner:intermediate:expert=Skill of the surfer",
      ["how are the waves at {beach}?", "surf report {beach}[ {date}|]", "can a {skill:beginner~first-timer} surf at {beach}[ on {date}|]?", "I've got my board in the car, is {beach} any good?"]),
    F("weather", "snow_depth|ski_snow", "Snow depth in a ski area.", "resort=pick:Zermatt:Gulmarg:Aspen:Chamonix:Niseko:Are:Kitzbuhel=The ski area|measured_at?=enum:base:mid:summit=Where it is measured, default is base|metric?=bool=In centimetres, default is true",
      ["how much snow is there in {resort}?", "{resort} snow depth[ at the {measured_at}|]", "thinking of skiing in {resort} this weekend. How deep is the snow up at the {measured_at:summit~very top}?", "snow {resort}, {metric:false~in inches}", "How many centimetres of snow lie in {resort} now?"]),
    F("weather", "storm_alerts|weatherAlerts.subscribe", "Subscribe to warnings of storms for an area.", "area=word:USSTATES=US state|severity=enum:minor:moderate:severe:extreme=From which severity|phone=phone=Phone to text|end_date?=date=Last day, YYYY-MM-DD",
      ["text {phone} when a storm of {severity} strength hits {area}", "storm warnings for {area}, {severity:extreme~only the really terrible ones}, to {phone}[ until {end_date}|]", "{area} alerts from {severity} up, number {phone}", "We have a barn in {area}. Warn me at {phone} if the weather gets {severity:severe~seriously bad}"]),
    F("weather", "tide_times|tides.get", "High and low tide in a port.", "port=pick:Dover:Halifax:Mumbai:Brest:Darwin:Savannah=The port|on=date=Day, YYYY-MM-DD|only?=enum:high:low=Only high or low tide",
      ["when is high and low water in {port} on {on}?", "tides {port} {on}", "we want to dig for clams in {port} on {on}, when's the tide, {only:low~I only care when the water is out}?", "{port}, tide times for {on}", "The boat leaves {port} on {on}. When does the water stand highest and lowest?"]),
    # Food.
    F("restaurant", "restaurant_finder.by_cuisine|findPlacesToEat", "Find restaurants of a cuisine in a city, with the price level and dietary options wanted.|Search restaurants by cuisine", "cuisine=word:CUISINES=Kind of cooking|city=word:CITYSTATE=City and state, e.g. Austin, TX|price_level?=enum:$:$$:$$$=Price level|dietary?=some:vegan:halal:kosher:gluten free=What the kitchen must offer|min_rating?=float:3:4.9=Lowest rating",
      ["Find me some {cuisine} restaurant in {city}", "any good {cuisine} food around {city}[, {dietary}|]?", "{cuisine}, {city}, {price_level:$$$~money is no object}", "my parents visit us in {city} and love {cuisine} cooking. Where should we go[, it should have {min_rating} stars or more|]?", "where to eat {cuisine} in {city}, {price_level:$~nothing dear}", "Suggest one {cuisine} place at {city} only"]),
    F("restaurant", "table_waitlist.join|joinWaitlist", "Join the waiting list of a restaurant.", "restaurant=word:EATERIES=The restaurant|guests=int:2:14=Number of guests|name=word:FIRSTS=Name to call out|phone?=phone=Phone to text|seating?=enum:indoor:outdoor:bar=Where to sit, default is indoor",
      ["put {name} on the waitlist at {restaurant}, {guests} people", "we're {guests} and hungry, get us in line at {restaurant} under {name}", "{restaurant} waiting list: {name}, party of {guests}[, {seating:outdoor~on the terrace}|]", "can you queue us at {restaurant}? {guests} guests, name is {name}[, text {phone}|]"]),
    F("restaurant", "dish_of_the_day|daily_special", "Today's special of a restaurant.", "restaurant_name=word:EATERIES=The restaurant|day?=enum:monday:tuesday:wednesday:thursday:friday:saturday:sunday=Day of the week|vegetarian_only?=bool=Only dishes without meat, default is false",
      ["what's the special at {restaurant_name}?", "dish of the day, {restaurant_name}[, {day:friday~on Friday}|]", "we lunch at {restaurant_name} every week. What are they cooking today[, {vegetarian_only:true~I don't eat meat}|]?", "{restaurant_name} daily special please"]),
    F("delivery", "food_order.place|placeFoodOrder", "Place an order for food. Each item has a name and a count; the restaurant is given by its name.", "restaurant=word:EATERIES=Where to order|order=objs:ORDERLINE=What is ordered|address=word:ADDRESSES=Where it goes|payment?=enum:cash:card:wallet=How it is paid, default is card|note?=pick:ring twice:leave at the door:no onions:extra spicy=Note for the kitchen or the rider",
      ["order {order} from {restaurant} to {address}", "From {restaurant} I'd like {order}, deliver to {address}", "we're at {address} and want {order} from {restaurant}[, {payment:cash~I pay the rider in notes}|]", "{restaurant}: {order} -> {address}[, note: {note}|]", "Please get {order} delivered at {address} from {restaurant} only"]),
    F("delivery", "customize_pizza|pizza.build", "Build a pizza to order.", "size=enum:small:medium:large:family=Size|toppings=words:TOPPINGS=What goes on it|crust?=enum:thin:thick:stuffed=Crust, default is thin|extra_sauce?=bool=More tomato sauce, default is false",
      ["a {size} pizza with {toppings}", "I'd like a pizza, {size}, topped with {toppings}[, {crust} crust|]", "{size} pizza {toppings}", "make mine {size} and put {toppings} on it[, {extra_sauce:true~don't be shy with the sauce}|]", "kids want {toppings} on a pizza, {size:family~big enough for all of us}"]),
    F("delivery", "grocery_slot|groceries.deliverySlot", "Reserve a time for the delivery of groceries.", "store=word:SHOPS=The shop|date=date=Day, YYYY-MM-DD|window=enum:morning:afternoon:evening=Time of day|substitutions?=bool=Whether other brands may be sent, default is true",
      ["reserve the {window} delivery from {store} on {date}", "{store} groceries, {date}, {window:evening~after work}", "I'm home on {date} in the {window}, have {store} deliver then[, {substitutions:false~no replacements please}|]", "grocery slot {date} {window} {store}"]),
    F("delivery", "coffee_order|orderCoffee", "Order a coffee or tea to take away.", "drink=word:DRINKS=The drink|size=enum:small:medium:large=Size|milk?=enum:whole:oat:soy:almond=Milk, default is whole|sugars?=int:1:4=Spoons of sugar, default is 0|name_on_cup?=word:FIRSTS=Name on the cup",
      ["a {size} {drink} please", "order me a {size} {drink}[ with {milk} milk|]", "one {drink}, {size:large~the biggest you've got}[, {sugars} sugars|]", "I'll have the {drink}, {size}, for {name_on_cup}", "get {drink} in {size}[, {milk:oat~made with oat milk}|]"]),
    F("cooking", "recipes.suggest_from_pantry|pantryRecipes", "Suggests dishes that can be cooked from what is at home.", "available=words:INGREDIENTS=What is at home|cooking_time?=int:10:120=Minutes at most|skill_level?=enum:beginner:intermediate:advanced=Skill of the cook, default is beginner|diet?=enum:vegan:keto:paleo:none=Diet, default is none",
      ["what can I cook with {available}?", "my fridge holds {available}. Ideas[ for {cooking_time} minutes|]?", "dinner from {available}, {skill_level:advanced~I'm a trained cook}", "got {available} at home, suggest something[, {diet:vegan~nothing from animals}|]", "{available} - recipe?"]),
    F("cooking", "ingredient_substitute|substituteFor", "What to use when something is missing in the kitchen.", "missing=pick:buttermilk:eggs:baking powder:honey:cream:ghee:cornstarch:white wine=What is missing|recipe_type?=enum:baking:sauce:curry:salad=What it is for|avoid?=words:ALLERGENS=What must not be in it",
      ["what can I use instead of {missing}?", "no {missing} in the house and the guests come at six. What else works[ for a {recipe_type}|]?", "substitute for {missing}[ without {avoid}|]", "I ran out of {missing}, any replacement?"]),
    F("cooking", "wine_pairing|pairWine", "Which wine goes with a dish.", "dish=word:DISHES=The dish|color?=enum:red:white:rose:sparkling=Colour of the wine|budget?=int:8:90=Highest price of a bottle",
      ["which wine goes with {dish}?", "I'm cooking {dish} tonight, pick a bottle[ under {budget}|]", "wine for {dish}[, {color}|]", "{dish} with what {color} wine?"]),
    F("cooking", "meal_plan.generate|weeklyMealPlan", "Generate a meal plan for some days. The plan keeps to a number of calories a day and leaves out what is disliked.", "days=int:2:14=Number of days|calories_per_day=int:1200:3400=Calories a day|meals_per_day?=int:2:6=Meals a day, default is 3|exclude?=words:FOODS=What must not be in it|diet_type?=enum:balanced:low_carb:high_protein:vegetarian=Kind of diet, default is balanced",
      ["a meal plan for {days} days with {calories_per_day} kcal each", "plan my meals: {days} days, {calories_per_day} calories a day, {diet_type:high_protein~lots of protein}", "I want to eat {calories_per_day} calories daily for {days} days[ and hate {exclude}|]. What should I cook?", "{days} day plan at {calories_per_day} kcal[, {meals_per_day} meals a day|]", "my trainer says {calories_per_day} kcal a day, so make me a plan for the next {days} days"]),
    F("nutrition", "vitamin_content|getMicronutrients", "Vitamins and minerals in a food.", "food_name=word:FOODS=The food|grams=int:20:600=Weight in grams|nutrient=pick:vitamin C:iron:calcium:potassium:vitamin B12:zinc:magnesium=Vitamin or mineral|cooked?=bool=Whether it is cooked, default is false",
      ["how much {nutrient} is in {grams} g of {food_name}?", "{nutrient} in {grams} grams of {food_name}[, {cooked:true~boiled}|]", "my doctor says I lack {nutrient}. Does {grams} g of {food_name} help?", "{food_name} {grams}g {nutrient}", "Suppose I eat {grams} grams of {food_name}: what amount of {nutrient} do I get?"]),
    F("nutrition", "macro_split|compare_macros", "Compare the protein, fat and carbohydrates of foods.", "foods=words:FOODS=The foods|macro?=enum:protein:fat:carbs:fiber=What to compare, default is protein|per?=enum:100g:serving:100kcal=Per how much, default is 100g",
      ["which has more {macro}: {foods}?", "compare {foods}", "{foods}, {macro:carbs~looking at the carbs}[, per {per}|]", "I'm choosing between {foods} for after the gym, compare them", "{macro} in {foods}?", "Set these side by side for me: {foods}"]),
    F("nutrition", "barcode_lookup|food.byBarcode", "Look up a food by its barcode.", "barcode=pick:4006381333931:8901030875020:7622210449283:0737628064502:5449000000996=Number under the bars|show_additives?=bool=Whether to list additives, default is false",
      ["what is the product with barcode {barcode}?", "scan says {barcode}. What's in it[, {show_additives:true~additives too}|]?", "barcode {barcode}", "look up {barcode} for me, it's on a jar without a label"]),
    F("nutrition", "track_water|hydration.log", "Log a drink of water.", "millilitres=int:100:1200=How much|at?=time=When, default is now|drink?=pick:water:tea:juice:milk=What, default is water",
      ["I drank {millilitres} ml", "log {millilitres} ml of {drink}[ at {at}|]", "add {millilitres} millilitres to my water today", "just had {millilitres} ml, note it[ for {at}|]"]),
    # Homes for sale and to let.
    F("property", "real_estate.find_listings|findListings", "Finds homes for sale. `location` is a city and state such as 'Tampa, FL'; the budget is an object with the lowest and highest price in thousands.", "location=word:CITYSTATE=City and state|budget=obj:RANGE=Lowest and highest price in thousands|bedrooms=int:2:6=Number of bedrooms|property_type?=enum:house:condo:townhouse:loft=Type of home, default is house|near_school?=bool=Whether a school is within a mile",
      ["homes for sale in {location}, {bedrooms} bedrooms, {budget} thousand", "we want to buy in {location}. {bedrooms} bedrooms, budget {budget} thousand[, {near_school:true~a school close by}|]", "{location} listings: {bedrooms} bed, {budget}k", "look for a {property_type} with {bedrooms} bedrooms in {location}, price {budget} thousand", "Find a place in {location}; we can pay {budget} thousand and need {bedrooms} bedrooms"]),
    F("property", "rental_listings|apartments_to_let", "Search flats to let by zip code.", "zip=word:ZIPS=US zip code|max_rent=int:600:6000=Highest rent a month|beds?=int:2:4=Bedrooms, default is 1|pets?=bool=Whether pets are allowed, default is false|move_in?=date=First day, YYYY-MM-DD",
      ["flats to let in {zip} under {max_rent}", "I can pay {max_rent} a month and want to live in {zip}[ from {move_in}|]. What's there?", "apartments {zip} max {max_rent}[, {pets:true~I have two cats}|]", "search rentals: zip {zip}, rent up to {max_rent}[, {beds} bedrooms|]", "Which apartments in {zip} cost at most {max_rent}?"]),
    F("homebuying", "mortgage_preapproval|apply_preapproval", "Apply for a preapproval of a mortgage.", "annual_income=int:30000:400000=Income a year|down_payment=int:10000:200000=Own money|credit_score=int:560:840=Credit score|co_borrower?=word:FIRSTS=Second borrower",
      ["preapproval: income {annual_income}, down payment {down_payment}, credit score {credit_score}", "I earn {annual_income} a year, can put down {down_payment} and my score is {credit_score}. Am I preapproved[ together with {co_borrower}|]?", "apply for a mortgage preapproval with a score of {credit_score}, {annual_income} income and {down_payment} of my own", "can the bank preapprove us? {down_payment} saved, credit score {credit_score}, we make {annual_income}"]),
    F("homebuying", "neighbourhood_profile|areaProfile", "What a neighbourhood is like.", "zip_code=word:ZIPS=US zip code|aspects=some:schools:crime:noise:parks:transport:nightlife=What is asked|compare_with?=word:ZIPS=Another zip code",
      ["what is {zip_code} like? I care about {aspects}", "neighbourhood {zip_code}: {aspects}[, compared with {compare_with}|]", "thinking of moving to {zip_code} with kids, tell me about {aspects} there", "{aspects} in {zip_code} please"]),
    F("homebuying", "property_tax_history|taxHistory.get", "Property tax paid for a house over the years.", "address=word:ADDRESSES=Street and number|city=word:CITYSTATE=City and state|from_year?=year:1995:2015=First year|to_year?=year:2016:2025=Last year",
      ["tax history of {address}, {city}", "what property tax was paid for {address} in {city}[ since {from_year}|]?", "we bid on {address} ({city}). Show its taxes[ from {from_year} to {to_year}|]", "{city}, {address}: property taxes over the years"]),
    F("homebuying", "moving_quote|movers.quote", "Get a quote from movers.", "move=obj:FROMTO=From where to where|rooms=int:2:8=Number of rooms|moving_date=date=Day, YYYY-MM-DD|packing?=bool=Whether they pack too, default is false|piano?=bool=Whether there is a piano",
      ["quote for moving {rooms} rooms, {move}, on {moving_date}", "we move {move} on {moving_date}, {rooms} rooms[, {packing:true~you pack everything}|]. What will it be?", "movers {moving_date} {move} {rooms} rooms[, {piano:true~and a piano}|]", "I have {rooms} rooms of stuff to get {move} by {moving_date}. Ask for a quote"]),
    # Sport.
    F("sport", "sports.match_result|matchResultFor", "Get the result of a match of two teams.", "home_team=word:CLUBS=Home team|away_team=word:CLUBS=Away team|date?=word:PASTDAYS=Day of the match, YYYY-MM-DD, default is the last one|include_scorers?=bool=Whether to list who scored, default is false",
      ["how did {home_team} against {away_team} end?", "who won, {home_team} or {away_team}[ on {date}|]?", "result {home_team} vs {away_team}[, {include_scorers:true~with the scorers}|]", "I fell asleep during {home_team} - {away_team}. How did it end?", "tell me the result of the match {away_team} played at {home_team}", "Please find the final result of the game between {home_team} and {away_team}"]),
    F("sport", "athlete_stats.season|getAthleteSeasonStats", "Retrieve the statistics of an athlete in a season of a league.", "athlete=word:ATHLETES=Name of the athlete|season=word:SEASONSPANS=Season, e.g. '2022-23'|league?=word:LEAGUES=The league|stat_types?=some:goals:assists:rebounds:minutes:cards=Which figures",
      ["stats of {athlete} for {season}", "how was {athlete}'s season {season}[ in the {league}|]?", "I'm writing about {athlete}. Give me the {season} numbers[: {stat_types}|]", "{season}: {athlete}, season statistics", "{athlete} {stat_types} in {season}?", "In {season}, what figures did {athlete} put up?"]),
    F("sport", "cricket_scorecard|cricket.liveCard", "Live card of a cricket match.", "match_id=code=Number of the match|innings?=int:1:4=Innings|show?=enum:batting:bowling:both=What is shown, default is both",
      ["scorecard of {match_id}", "what's happening in cricket match {match_id}[, innings {innings}|]?", "show {show:bowling~only the bowlers} for {match_id}", "yaar how is match {match_id} going, who is batting"]),
    F("sport", "head_to_head|rivalry_record", "Record of two teams against each other.", "team_one=word:CLUBS=One team|team_two=word:CLUBS=The other team|since_year?=year:1960:2020=From this year on|competition?=word:LEAGUES=Only in this league",
      ["how often has {team_one} beaten {team_two}?", "head to head {team_one} / {team_two}[ since {since_year}|]", "my brother says {team_two} always loses to {team_one}. What's the record between them[ in the {competition}|]?", "record of {team_one} against {team_two}", "before the weekend's game {team_one} - {team_two} I'd like to see who has won more often"]),
    F("sport", "league_leaders|statLeaders", "Leaders of a league in some figure.", "league_name=word:LEAGUES=The league|category=enum:goals:assists:saves:points:wickets=Figure|season_year?=year:2008:2025=Season|top?=int:3:20=How many, default is 10",
      ["who leads the {league_name} in {category}?", "top {top} of the {league_name} by {category}", "{league_name} {category} leaders[ {season_year}|]", "which players have the most {category} in the {league_name}[ of {season_year}|]?", "Give me the names of the best in the {league_name} when it comes to {category}"]),
    F("sport", "team_injuries|injuryReport", "Who is injured in a team.", "team_name=word:CLUBS=The team|status?=enum:out:doubtful:day_to_day=Status|week?=int:1:38=Week of the season",
      ["who's injured at {team_name}?", "injury report {team_name}[, week {week}|]", "I set my fantasy lineup tonight; which {team_name} players are {status:doubtful~maybe not going to play}?", "list of hurt players for {team_name}"]),
    F("sport", "race_winner|motorsport.winner", "Winner of a race in a year.", "race=word:RACES=The race|year=year:1960:2025=Year|with_podium?=bool=Second and third too, default is false",
      ["who won the {race} in {year}?", "{race} {year} winner", "it was {year} and my dad saw the {race} live. Who came in first[, {with_podium:true~second and third too}|]?", "winner of the {year} {race}"]),
    F("sport", "tennis_ranking|playerRanking.tennis", "Ranking of a tennis player.", "player=word:ATHLETES=Name|tour=enum:men:women:doubles=Which ranking|on_date?=date=Day, YYYY-MM-DD, default is today",
      ["where does {player} stand in the {tour} tennis ranking?", "tennis ranking {player}, {tour}[, {on_date}|]", "{player} won again! Which place in the {tour}'s ranking is that now?", "position of {player} among the {tour:women~ladies}"]),
    F("sport", "stadium_info|venueCapacity", "Capacity and other facts of a team's stadium.", "team=word:CLUBS=Whose stadium|detail?=enum:capacity:opening_year:surface:parking=What is asked, default is capacity",
      ["how many people fit in the stadium of {team}?", "stadium of {team}, {detail:opening_year~when did it open}", "{team} ground {detail:surface~real grass or not}?", "We drive to the {team} game, {detail:parking~can we park there}?", "our bus of sixty wants to see {team}. How large is their ground?"]),
    F("sport", "fantasy_lineup.set|setFantasyLineup", "Set the lineup of a fantasy team for a week.", "team_id=code=Number of the fantasy team|starters=words:ATHLETES=Who plays|captain=word:ATHLETES=Captain|week?=int:1:38=Week, default is the current one",
      ["fantasy team {team_id}: play {starters}, captain {captain}", "set my lineup {team_id} to {starters} with {captain} as captain[ for week {week}|]", "{captain} should be captain of {team_id}, the starters are {starters}", "this week I go with {starters} in {team_id}. Captain: {captain}"]),
    F("sport", "olympic_medals|medalTable", "Medals of a country at Olympic Games.", "country=word:COUNTRIES=The country|games_year=year:1948:2024=Year of the Games|season?=enum:summer:winter=Games, default is summer|medal_type?=enum:gold:silver:bronze:all=Kind, default is all",
      ["how many medals did {country} win in {games_year}?", "{country} at the {season} Olympics {games_year}", "{games_year} Games, {country}, {medal_type} medals", "A pub quiz wants to know the medals of {country} at the {games_year} Olympics. Can you look?"]),
    F("sport", "marathon_register|races.signUp", "Register a runner for a race.", "runner=word:FIRSTS=Name of the runner|race_name=pick:Harbour Marathon:Monsoon Half:Lake Loop 10K:Old Town Night Run:Desert Ultra=The race|distance_km?=float:5:42.2=Distance in km|shirt_size?=enum:S:M:L:XL=Shirt",
      ["sign {runner} up for the {race_name}", "register {runner}, {race_name}[, shirt {shirt_size}|]", "{runner} wants to run the {race_name}, please enter the name[, {distance_km} km|]", "my friend {runner} finally dares: {race_name}! Do the registration"]),
    F("sport", "transfer_news|playerTransfers", "Players a club bought or sold.", "club=word:CLUBS=The club|direction?=enum:in:out=Bought or sold|window?=enum:summer:winter=Time of the transfers, default is summer|year?=year:2010:2025=Year",
      ["who did {club} {direction:in~buy}[ in {year}|]?", "{club} transfers[ {year}|]", "which players has {club} {direction:out~let go}[ in the {window} window|]?", "which players changed clubs at {club}[ this {window}|]?"]),
    # Games of all kinds.
    F("games", "chess.explain_opening|openingInfo", "Explains a chess opening.", "opening=pick:Sicilian Defence:Queen's Gambit:Caro-Kann:King's Indian:French Defence:Ruy Lopez:London System=The opening|side?=enum:white:black=For which side|depth?=int:4:20=Number of moves, default is 8",
      ["explain the {opening}", "how do I play the {opening} as {side}?", "I keep losing to the {opening}. What's the idea behind it[, {depth} moves deep|]?", "{opening}, the chess opening[, for {side}|]"]),
    F("games", "evaluate_poker_hand|poker.handRank", "Rank of a poker hand.", "cards=some:ace of spades:king of hearts:queen of hearts:ten of clubs:nine of clubs:two of diamonds:jack of hearts=The cards|variant?=enum:texas_holdem:omaha:five_card_draw=Variant, default is texas_holdem",
      ["how good is {cards} in poker?", "rank my hand: {cards}", "I hold {cards}[, {variant:omaha~we play Omaha}|]. What do I have?", "poker hand {cards}?"]),
    F("games", "card_game_rules|rulesOf", "Rules of a card game.", "game_name=word:CARDGAMES=The game|player_count?=int:2:8=Number of players|topic?=enum:dealing:scoring:bidding:winning=Part of the rules",
      ["how do you play {game_name}?", "rules of {game_name}[ for {player_count}|]", "Grandma and I argue about {game_name}: {topic:scoring~how are points counted}?", "explain {game_name}[, {topic:dealing~how many cards does each get}|]"]),
    F("games", "board_game_score_sheet|scoreSheet.add", "Add the points of a round to a sheet.", "game=word:BOARDGAMES=The game|player=word:FIRSTS=The player|points=int:2:120=Points|round?=int:1:12=Round, default is the last one",
      ["{player} made {points} points in {game}", "write {points} for {player}, {game}[ round {round}|]", "add {points} points for {player} to the {game} sheet", "{game}: {player} +{points}"]),
    F("games", "dungeon.create_character|newCharacter", "Create a character for a role playing game.", "name=word:CHARACTERS=Name|race=enum:elf:dwarf:human:orc:halfling=Race|char_class=enum:wizard:fighter:rogue:cleric:bard=Class|level?=int:2:20=Level, default is 1|alignment?=enum:good:neutral:evil=Alignment, default is neutral",
      ["make {name}, race {race}, class {char_class}", "new character: {name}, {race}, {char_class}[, level {level}|]", "I want to play a {char_class}, {race}, called {name}[, {alignment:evil~and thoroughly wicked}|]", "roll up {name} the {race} {char_class} for me"]),
    F("games", "loot.drop_rate|itemDropChance", "How likely an enemy drops an item.", "item=word:GAMEITEMS=The item|enemy=pick:cave troll:sand wyrm:bog witch:frost giant:goblin king:skeleton archer=Who drops it|luck_bonus?=percent:5:60=Bonus of luck in percent, default is 0|game?=word:VIDEOGAMES=The game",
      ["how often does the {enemy} drop the {item}?", "chance of {item} from the {enemy}[ in {game}|]", "I've killed forty of them. What's the chance that a {enemy} has the {item}[ with {luck_bonus} luck|]?", "drop chance: {enemy}, {item}"]),
    F("games", "crafting_recipe|craft.lookup", "What is needed to craft an item in a game.", "item_name=word:GAMEITEMS=The item|game_title=word:VIDEOGAMES=The game|quantity?=int:2:64=How many, default is 1|station?=pick:anvil:workbench:cauldron:loom=Where it is made",
      ["what do I need to craft the {item_name} in {game_title}?", "{game_title}: crafting {item_name}[ x{quantity}|]", "my kid plays {game_title} and can't make the {item_name}. What goes into it[ at the {station}|]?", "recipe for the {item_name}, {game_title}", "Which materials make the {item_name}? The game is {game_title}"]),
    F("games", "game_release_date|releaseDate.get", "When a game comes out.", "title=word:VIDEOGAMES=The game|platform?=word:PLATFORMS=Platform|region_code?=word:COUNTRYCODES=Country, two letters",
      ["when does {title} come out?", "release date {title}[ on {platform}|]", "I can't wait for {title}. When can I play it[ on {platform}|]?", "{title} release[, {platform}|][, {region_code}|]"]),
    F("games", "achievement_progress|achievements.get", "How far a player is with the achievements of a game.", "gamertag=word:HANDLES=Name of the player|game=word:VIDEOGAMES=The game|only_locked?=bool=Only those still missing, default is false|platform?=word:PLATFORMS=Platform",
      ["which achievements does {gamertag} have in {game}?", "{gamertag}, {game}, achievements[, {only_locked:true~just what's missing}|]", "how far is {gamertag} from having everything in {game}[ on {platform}|]?", "achievement progress in {game} for {gamertag}"]),
    F("games", "matchmaking.join_queue|joinQueue", "Join the queue for an online match.", "mode=enum:ranked:casual:tournament=Mode|server_region=word:REGIONS=Region of the server|squad?=words:FIRSTS=Friends who join|role?=enum:tank:healer:damage=Role",
      ["queue me for a {mode} match on {server_region}", "{mode} queue, {server_region}[, as {role}|]", "get us into a match on {server_region}, {mode:casual~just for fun}, {squad} are with me", "I'd like to join a {mode} game, region {server_region}"]),
    F("games", "sudoku.generate|make_sudoku", "Generate a sudoku.", "difficulty=enum:easy:medium:hard:expert=How hard|size?=enum:4x4:6x6:9x9=Size, default is 9x9|seed?=int:1:999:any=Seed to get the same one again",
      ["one sudoku, {difficulty}, please", "sudoku, {difficulty:expert~as nasty as possible}[, {size}|]", "I have ten minutes on the train. One {difficulty} sudoku please", "make a {size} sudoku that is {difficulty}[, seed {seed}|]"]),
    F("games", "trivia_question|trivia.get", "A question for a quiz night.", "topic=enum:history:science:movies:sports:geography=Topic|hardness?=enum:easy:medium:hard=How hard, default is medium|count?=int:2:20=How many, default is 1",
      ["ask me something about {topic}", "{count} {topic} trivia questions", "trivia, {topic}, {hardness:hard~make it really difficult}", "quiz night needs a {topic} question[, {hardness:easy~a simple one}|]"]),
    F("games", "lottery_numbers|lottery.check", "Check a lottery ticket against the drawing.", "numbers=intset:1:49:5:6=Numbers on the ticket|draw_date=word:RECENTDAYS=Day of the drawing, YYYY-MM-DD|lottery?=pick:MegaDraw:Lotto 6:Sunday Ball:Golden Wheel=Which lottery",
      ["did {numbers} win on {draw_date}?", "check my ticket {numbers}, drawing of {draw_date}[, {lottery}|]", "I played {numbers} on {draw_date}. Am I rich?", "{lottery} {draw_date}: {numbers}"]),
    F("games", "twitch_like.stream_status|isStreamLive", "Whether a streamer is live.", "streamer=word:HANDLES=Name of the streamer|notify?=bool=Send a message when it starts, default is false|game_filter?=word:VIDEOGAMES=Only when this game is played",
      ["is {streamer} live?", "check whether {streamer} is streaming[ {game_filter}|]", "has {streamer} started yet[? {notify:true~tell me when it begins}|]?", "{streamer} stream status"]),
    # Music.
    F("musictheory", "music_theory.interval_between|intervalOfNotes", "Name the interval between two notes.", "lower_note=word:NOTES=The lower note|upper_note=word:NOTES=The upper note|compound?=bool=Whether it is more than an octave, default is false",
      ["what interval is it from {lower_note} to {upper_note}?", "interval {lower_note} - {upper_note}[, {compound:true~an octave apart as well}|]", "I sing {lower_note} and my friend {upper_note}. What's that interval called?", "name the interval: {lower_note} up to {upper_note}"]),
    F("musictheory", "scale_degrees|exotic_scale", "Notes of a mode or scale from a root.", "root=word:NOTES=Root note|scale_type=word:SCALES=Kind of scale|descending?=bool=From top to bottom, default is false|octaves?=int:1:3=Octaves, default is 1",
      ["take me through the {root} {scale_type} scale", "notes of {root} {scale_type}[, {descending:true~downwards}|]", "I'm soloing in {root}, {scale_type}. Which notes are those[ over {octaves} octaves|]?", "{scale_type} scale starting on {root}", "List all the notes if I start from {root} and play the {scale_type} scale"]),
    F("musictheory", "key_signature|sharps_and_flats", "Sharps or flats of a key.", "tonic=word:NOTES=Tonic of the key|quality?=enum:major:minor=Major or minor, default is major",
      ["how many sharps or flats has {tonic} {quality}?", "key signature {tonic}[ {quality}|]", "my student forgot what's at the start of the line in {tonic}[ {quality}|]. Sharps or flats?", "which accidentals does the key of {tonic} have"]),
    F("musictheory", "time_signature_of|meter.lookup", "Metre in which a piece stands.", "piece=word:PIECES=The piece|movement?=int:1:5=Movement|composer?=word:COMPOSERS=Composer",
      ["what metre is {piece} in?", "time signature of {piece}[, movement {movement}|]", "is {piece} a waltz or what? I need its time signature", "{piece}[ by {composer}|], time signature"]),
    F("musictheory", "guitar_chord_shape|chordDiagram", "How a chord is fingered on a stringed instrument.", "chord=pick:Am7:Cmaj7:F#m:Bb:Dsus4:G7:E9:Cadd9=The chord|instrument?=enum:guitar:ukulele:banjo:mandolin=Instrument, default is guitar|left_handed?=bool=For left hands, default is false|position?=int:1:12=Fret, default is the lowest",
      ["how do I finger {chord}?", "{chord} on the {instrument}", "show the shape of {chord}[, {left_handed:true~I'm left-handed}|]", "my band plays {chord} and I can't. Where do the fingers go[ around fret {position}|]?"]),
    F("music", "music_player.queue_song|queueTrack", "Add a song to the queue of the player.", "track=word:SONGS=The song|artist?=word:BANDS=Who sings it|position?=enum:next:last=Where in the queue, default is last|speaker?=word:ROOMS=Room of the speaker",
      ["queue {track}", "put {track} by {artist} on the list", "next up should be {track}, {position:next~right after this one}", "can you add {track}[ by {artist}|] to what's playing[ in the {speaker}|]?", "I want to hear {track}[, {position:last~when the others are through}|]"]),
    F("music", "similar_artists|artist.related", "Artists that sound like another one.", "artist_name=word:BANDS=The artist|how_many?=int:3:25=How many, default is 10|genre_filter?=word:MUSICGENRES=Only in this genre|era?=pick:70s:80s:90s:2000s:2010s=Only from this time",
      ["who sounds like {artist_name}?", "{how_many} bands like {artist_name}", "I've worn out my {artist_name} records. What's similar[, from the {era}|]?", "artists related to {artist_name}[ in {genre_filter}|]", "if one likes {artist_name}, whom else should one hear?"]),
    F("music", "album_tracklist|getTracklist", "List the tracks of an album.", "album=word:ALBUMS=The album|band?=word:BANDS=Who made it|edition?=enum:standard:deluxe:remastered=Edition, default is standard|with_durations?=bool=Length of each track, default is false",
      ["what songs are on {album}?", "tracklist {album}[ by {band}|]", "{album}, {edition} edition: which tracks?", "I found {album} at a flea market without its sleeve. List the tracks[, {with_durations:true~with how long they are}|]", "Could you tell me all songs on the record {album}?"]),
    F("music", "identify_song|song.recognise", "Identify a song from a line of its text or a recording.", "snippet=pick:la la under the tin roof:we left the harbour singing:carry me over the copper hills:one more tram till morning=A line of the song|language?=word:TONGUES=Language it is sung in|year_hint?=year:1960:2022=About when it came out",
      ["which song goes \"{snippet}\"?", "a song with the line '{snippet}'[, it's {language}|]", "it's been stuck in my head for days: \"{snippet}\". What is it[, from about {year_hint}|]?", "name that tune: {snippet}"]),
    F("music", "charts.top_songs|topCharts", "Top songs of a country's charts.", "country=word:COUNTRYCODES=Two letter country code|limit?=int:5:50=How many, default is 10|week_of?=word:RECENTDAYS=Week that holds this day, YYYY-MM-DD|genre?=word:MUSICGENRES=Genre",
      ["top songs in {country}", "what do they listen to in {country:JP~Japan} these days?", "what do they listen to in {country:BR~Brazil} these days?", "what do they listen to in {country:DE~Germany} these days?", "what's on the charts {country}[, top {limit}|]?", "charts of {country} for the week of {week_of}", "which {genre} songs lead in {country}?", "give the hit list, country code {country}"]),
    F("music", "sheet_transposer|transposePart", "Transpose a written part for another instrument.", "title=word:PIECES=The piece|from_instrument=word:INSTRUMENTS=Instrument it is written for|to_instrument=word:INSTRUMENTS=Instrument that will play it|simplify?=bool=Make it easier, default is false",
      ["transpose {title} from {from_instrument} to {to_instrument}", "our {to_instrument} player got the {from_instrument} part of {title}. Rewrite it", "{title}: {from_instrument} -> {to_instrument}[, {simplify:true~and a bit easier}|]", "could you set {title} for {to_instrument}? the part is for {from_instrument}"]),
    F("music", "instrument_rental.quote|rent_instrument", "Rent an instrument by the month.", "instrument=word:INSTRUMENTS=The instrument|months=int:2:24=For how many months|size?=enum:full:three_quarter:half=Size, default is full|insurance?=bool=Insured, default is false",
      ["please hire me a good {instrument} for {months} months", "my daughter starts the {instrument}; we'd hire one for {months} months[, {size:half~a half-size one}|]", "{instrument} hire, {months} months[, {insurance:true~insured}|]", "for {months} months I need to borrow some {instrument}, what would it be?"]),
    F("music", "practice_timer.log|logPractice", "Log practice on an instrument.", "instrument=word:INSTRUMENTS=Instrument|minutes=int:5:180=Minutes|piece?=word:PIECES=What was practised|tempo?=int:50:180=Beats a minute",
      ["I practised {instrument} for {minutes} minutes", "log {minutes} min of {instrument}[, {piece}|]", "{instrument} {minutes} minutes today[ at {tempo} bpm|]", "note down my practice: {minutes} minutes with {piece} on the {instrument}"]),
    F("music", "concert_setlist|setlist.find", "What a band played at a concert.", "band=word:BANDS=The band|city=word:CITIES=City|concert_date?=word:PASTDAYS=Day, YYYY-MM-DD|encore_only?=bool=Only the encores, default is false",
      ["what did {band} play in {city}?", "setlist {band}, {city}[ {concert_date}|]", "I missed {band} in {city}. Which songs were on[, {encore_only:true~I mean the encores}|]?", "songs from the {city} gig of {band}", "at the {city} concert, what came after what? the band was {band}"]),
    # Films and series.
    F("film", "movies.search_by_genre|discoverMovies", "Discover films by genre, years and language. Sorted by popularity unless told otherwise.", "genre=word:FILMGENRES=Genre|release_from?=year:1950:2010=From this year|release_to?=year:2011:2025=Up to this year|language?=word:TONGUES=Language of the film|sort?=enum:popularity:rating:newest=Order, default is popularity",
      ["find me a film, {genre}", "some {genre} in {language} for tonight", "any {genre} films from {release_from} to {release_to}?", "in the mood for {genre}[, {sort:rating~best rated first}|]", "{genre}[, made since {release_from}|]", "we have popcorn and no plan. Some {genre}, please"]),
    F("film", "movie_tickets.reserve|reserveCinemaSeats", "Reserve seats in a cinema.", "film=word:FILMS=The film|cinema=pick:Odeon Nova:Rex:Kino Luna:Regal Harbour:PVR Forum:Astor=The cinema|showtime=time=When it starts|seats=int:2:9=How many seats|row?=enum:front:middle:back=Where, default is middle|format?=enum:2D:3D:IMAX=Format, default is 2D",
      ["reserve {seats} seats for {film} at {cinema}, {showtime}", "we're {seats} and want to see {film} at the {cinema}, the {showtime} show[, {row:back~last row}|]", "{cinema} {showtime} {film} x{seats}[ {format}|]", "book {seats} tickets at {cinema} for {showtime}: {film}", "{film} tonight at {showtime}? get {seats} seats in the {cinema}"]),
    F("film", "film_age_rating|ageRating.get", "From what age a film may be seen.", "movie_title=word:FILMS=The film|country=word:COUNTRIES=Country|explain?=bool=Whether to say why, default is false",
      ["may a ten-year-old watch {movie_title} in {country}?", "age limit of {movie_title}, {country}", "{movie_title} certificate {country}[, {explain:true~and why}|]", "I want to take my kids to {movie_title}. From which age is it allowed in {country}?", "Tell me the minimum age for {movie_title} under the rules of {country}"]),
    F("film", "soundtrack_of|filmMusic.lookup", "Music used in a film or series.", "work=word:FILMS=Film|scene?=pick:opening:wedding:chase:final scene:credits=Scene|composer_only?=bool=Only who wrote it, default is false",
      ["what music is in {work}?", "the song in the {scene} of {work}", "soundtrack {work}[, {composer_only:true~just who wrote it}|]", "I loved the music of {work}[, in the {scene}|]. What was it?"]),
    F("film", "series.next_episode|nextEpisodeDate", "When the next episode of a series is shown.", "series=word:SERIES=The series|season?=int:1:9=Season|channel?=word:STREAMERS=Service or channel",
      ["when is the next episode of {series}?", "{series} next episode[ on {channel}|]", "that cliffhanger! when does {series} go on[, season {season}|]?", "date of the coming {series} episode"]),
    F("film", "series_episode_list|listEpisodes", "List the episodes of a season.", "show_title=word:SERIES=The series|season_number=int:1:9=Season|include_specials?=bool=Special episodes too, default is false",
      ["episodes of {show_title}, season {season_number}", "what are the episodes in season {season_number} of {show_title} called?", "{show_title} S{season_number} list[, {include_specials:true~specials too}|]", "I'm making a checklist of {show_title} season {season_number}"]),
    F("film", "film_awards|awardsWon", "Awards that a film or a person won.", "nominee=word:FILMS=The film|award?=pick:Golden Lantern:Silver Reel:Critics' Circle:Audience Prize=The award|year?=year:1960:2025=Year|nominations_too?=bool=Nominations too, default is false",
      ["which awards did {nominee} win?", "did {nominee} get the {award}[ in {year}|]?", "{nominee} prizes[, {nominations_too:true~and what it was nominated for}|]", "list what {nominee} won"]),
    F("film", "filming_locations|whereFilmed", "Where a film was shot.", "title=word:FILMS=The film|country?=word:COUNTRIES=Only in this country|map_links?=bool=Links to a map, default is false",
      ["where was {title} filmed?", "shooting locations of {title}[ in {country}|]", "we're touring places from {title}. Where did they shoot[, {map_links:true~with map links}|]?", "{title}, filmed where?", "we'd like to visit the places seen in {title}. Which are they?"]),
    F("film", "subtitle_download|subtitles.fetch", "Fetch subtitles for a film.", "movie=word:FILMS=The film|lang=word:TONGUES=Language of the subtitles|hearing_impaired?=bool=With descriptions of sounds, default is false|format?=enum:srt:vtt:ass=Format, default is srt",
      ["get {lang} subtitles for {movie}", "{movie} subs {lang}[ as {format}|]", "my grandfather is hard of hearing and wants {movie} with {lang} subtitles[, {hearing_impaired:true~with the sounds described}|]", "fetch subtitles: {movie}, {lang}"]),
    F("celebrity", "celebrity.filmography|actorFilms", "Films an actor played in.", "actor=word:FIRSTS=Stage name of the actor|start_year?=year:1970:2010=From this year|role_type?=enum:lead:supporting:voice=Kind of role|genre?=word:FILMGENRES=Genre",
      ["what films was {actor} in?", "{actor} filmography[ since {start_year}|]", "everything with {actor} as {role_type:lead~the star}", "list the {genre} films of {actor}", "I know that face, it's {actor}. Which other films is that?"]),
    F("celebrity", "net_worth_of|celebrityWorth", "Estimated fortune of a celebrity.", "name=word:FIRSTS=The celebrity|profession?=enum:actor:singer:athlete:entrepreneur=What for they are known|currency?=word:MONEY=Currency, default is USD",
      ["how rich is {name}, the {profession}?", "net worth {name}", "what is the singer {name} worth[ in {currency}|]?", "bet you {name} has more than a billion. What's the fortune?"]),
    F("celebrity", "celebrity_relationships|whoIsMarriedTo", "Partners and children of a celebrity.", "person=word:FIRSTS=The celebrity|relation?=enum:spouse:children:siblings:parents=Relation, default is spouse|include_former?=bool=Former ones too, default is false",
      ["who is {person} married to?", "{person}'s {relation}?", "my aunt insists that {person} has four kids. {relation:children~How many are there}?", "partner of {person}[, {include_former:true~exes as well}|]"]),
    # Books.
    F("books", "library.check_availability|isBookAvailable", "Check whether a library has a book on the shelf.", "book_title=word:BOOKS=Title|library_branch=pick:Central:Riverside:Old Town:Campus:Hillside=Branch|author?=word:FIRSTS=Author|media?=enum:hardcover:paperback:audiobook:ebook=Form|hold_if_out?=bool=Put it on hold when it is lent out, default is false",
      ["does the {library_branch} library have {book_title}?", "is {book_title} on the shelf at {library_branch}[, {hold_if_out:true~hold it for me if not}|]?", "{book_title}, {library_branch} branch[, {media}|]", "my book club reads {book_title}. Check if {library_branch} has it", "Before I walk over to {library_branch}: have they got {book_title}?"]),
    F("books", "isbn.lookup|volume_by_isbn", "Look up a book by its ISBN.", "isbn=word:ISBNS=The number|fields?=some:title:author:publisher:pages:cover=What is wanted",
      ["what book is {isbn}?", "ISBN {isbn}[: {fields}|]", "look up {isbn} for me", "the label only says {isbn}. Which book is it", "there's a number on the back, {isbn}; title and author please"]),
    F("books", "renew_loan|library_loans.renew", "Renew the loan of library books.", "card_number=code=Number of the library card|titles=words:BOOKS=Books to renew|weeks?=int:2:4=For how many weeks, default is 2",
      ["renew {titles} on card {card_number}", "I haven't finished {titles}. Card is {card_number}, please renew[ for {weeks} weeks|]", "library card {card_number}: extend {titles}", "longer loan for {titles}, {card_number}"]),
    F("books", "recommend_next_read|nextBook", "Recommend a book to read after another one.", "liked=word:BOOKS=A book somebody liked|genre?=word:BOOKGENRES=Genre|max_pages?=int:120:700=At most so many pages|reading_age?=enum:child:teen:adult=For whom, default is adult",
      ["I loved {liked}, what next?", "recommend something like {liked}[, {genre}|]", "books for those who enjoyed {liked}[ under {max_pages} pages|]", "my niece devoured {liked}. What should she read now[, {reading_age:teen~she's fourteen}|]?"]),
    F("books", "quote_source|whoSaidIt", "Find where a quotation comes from.", "quotation=pick:a river forgets its stones:bread first then books:we were all maps once:the clock was kinder than the king=The words|author_guess?=word:THINKERS=Who may have said it|language?=word:TONGUES=Language of the source",
      ["who wrote \"{quotation}\"?", "source of the quote '{quotation}'", "\"{quotation}\" - is that {author_guess}?", "my calendar says \"{quotation}\" without a name. Where is it from?"]),
    F("books", "audiobook_length|audiobook.duration", "How long an audiobook is.", "title=word:BOOKS=The book|narrator?=word:FIRSTS=Who reads it|speed?=float:1.1:2.5=Speed, default is 1|abridged?=bool=Shortened, default is false",
      ["how many hours is the audiobook of {title}?", "{title} audiobook length[ at speed {speed}|]", "a nine hour drive: will {title} last[, the one read by {narrator}|]?", "listening time for {title}[, {abridged:true~the short version}|]"]),
    F("books", "bestseller_list|getBestsellers", "Bestsellers of a genre.", "category=word:BOOKGENRES=Genre|country?=word:COUNTRYCODES=Country, two letters, default is US|rank_limit?=int:3:30=How many, default is 10|month?=word:MONTHS=Month",
      ["bestsellers in {category}", "top {rank_limit} {category} books[ in {month}|]", "what {category} is everybody buying[, country {country}|]?", "the shop window is full of {category}. Which sell best?"]),
    # Art and museums.
    F("museums", "museum.current_exhibits|exhibitsNow", "What a museum shows at present.", "museum_name=word:MUSEUMS=The museum|until?=date=Shows that run at least until this day, YYYY-MM-DD|for_children?=bool=Only those for children, default is false|floor?=int:1:5=Floor",
      ["what's on at the {museum_name}?", "exhibitions in the {museum_name}[ up to {until}|]", "rainy day with two kids: what does the {museum_name} show[, {for_children:true~something for kids}|]?", "{museum_name}, current shows", "Which shows could I see at the {museum_name} this week?"]),
    F("museums", "museum_visit.reserve|bookMuseumVisit", "Book a timed visit to a museum.", "museum=word:MUSEUMS=The museum|visit_date=date=Day, YYYY-MM-DD|entry_time=time=Time of entry|visitors=int:2:25=Number of people|guided?=bool=With a guide, default is false|guide_language?=word:TONGUES=Language of the guide",
      ["{visitors} people to the {museum} on {visit_date} at {entry_time}", "book the {museum}: {visit_date}, {entry_time}, {visitors} tickets[, {guided:true~with a guide}|]", "I'm bringing {visitors} guests to the {museum} on {visit_date}. Let us in at {entry_time}[ with a guide speaking {guide_language}|]", "{entry_time} entry, {visit_date}, {museum}, party of {visitors}"]),
    F("museums", "object_in_collection|museumObject", "Find an object in a museum's collection by its number.", "museum=word:MUSEUMS=The museum|inventory_no=code=Inventory number|with_provenance?=bool=Where it came from, default is false",
      ["what is object {inventory_no} in the {museum}?", "{museum} inventory {inventory_no}[, {with_provenance:true~and how it got there}|]", "I photographed a label saying {inventory_no} in the {museum}. Tell me more", "look up {inventory_no} at the {museum}"]),
    F("arts", "painting_facts|paintingDetails.get", "Details about a painting.", "painting=word:PAINTINGS=The painting|detail=enum:year:medium:size:location:owner=What is asked|painter?=word:PAINTERS=Who painted it",
      ["{detail} of {painting}", "I have a print of {painting} in the hall. {detail:location~Where does the real one hang}?", "when was {painting} made, {detail:year~which year}?", "{painting}: {detail:size~how large is it}", "what {detail} does {painting} have[, the one by {painter}|]?", "I'd like to know the {detail} of the painting {painting}"]),
    F("arts", "sculpture.info|getSculptureInfo", "Information on a sculpture, such as its material and where it stands.", "sculpture=word:SCULPTURES=The sculpture|sculptor?=word:SCULPTORS=Who made it|info?=enum:material:height:location:year=What is asked, default is all of it",
      ["tell me about {sculpture}", "{sculpture} by {sculptor}, {info:height~how tall}", "what is {sculpture} made of, {info:material~which stuff}?", "facts on the sculpture {sculpture}[ of {sculptor}|]", "We stood in front of {sculpture} but there was no sign. What's known about it?"]),
    F("arts", "commission_statue|statue.commission", "Order a statue from a workshop.", "subject=pick:a running horse:an owl:a sleeping lion:two dancers:a fisherman:a child with a kite=What it shows|material=word:MATERIALS=Of what|height_cm=int:30:400=Height in cm|deadline?=date=Ready by, YYYY-MM-DD|plinth?=bool=With a plinth, default is false",
      ["order a statue of {subject} in {material}, {height_cm} cm tall", "we'd like {subject} in {material} for the park, {height_cm} cm high[, ready by {deadline}|]", "{subject}, {material}, {height_cm} cm[, {plinth:true~on a plinth}|]", "Commission {subject}. {height_cm} centimetres, made of {material}"]),
    F("arts", "art_auction.lots|auctionLots", "List lots of coming art auctions by an artist.", "artist=word:PAINTERS=The artist|auction_house?=pick:Ashby's:Galerie Moreau:Dorn & Sohn:Silver Gavel=Auction house|estimate?=obj:BUDGET=Range of the estimate|medium?=enum:oil:watercolor:print:drawing=Medium",
      ["is anything by {artist} coming up at auction?", "auction lots {artist}[, {auction_house}|]", "I love the {medium} work of {artist}. What's for sale at auction[, {estimate}|]?", "{artist}, upcoming lots[, {medium}|]"]),
    F("arts", "auction_bid|placeBid", "Place a bid on a lot.", "lot_number=code=Number of the lot|bid=int:200:250000=The bid|bidder=word:FIRSTS=Who bids|currency?=word:MONEY=Currency, default is USD|max_auto_bid?=int:260000:900000=Go up to this by itself",
      ["bid {bid} on lot {lot_number} for {bidder}", "{bidder} offers {bid} for {lot_number}[, in {currency}|]", "lot {lot_number}: {bid}, bidder {bidder}[, going up to {max_auto_bid} automatically|]", "put in {bid} for me, I'm {bidder}, the lot is {lot_number}", "On behalf of {bidder}, enter a bid of {bid} for the lot numbered {lot_number}"]),
    F("arts", "artists_of_movement|movement.artists", "Artists of an art movement.", "movement=word:ARTSTYLES=The movement|nationality?=word:COUNTRIES=Country|women_only?=bool=Only women, default is false|limit?=int:3:20=How many",
      ["who painted in the style of {movement}?", "artists of {movement}[ from {nationality}|]", "my essay on {movement} needs names[, {women_only:true~only women}|]", "{movement}: name {limit} artists"]),
    F("arts", "color_palette_of|extractPalette", "Main colours of a painting.", "artwork=word:PAINTINGS=The painting|colors?=int:3:12=How many colours, default is 5|format?=enum:hex:rgb:names=How they are written, default is hex",
      ["what are the main colours of {artwork}?", "palette of {artwork}, {colors} colours[ as {format}|]", "I'm painting my room like {artwork}. Give me its colours", "{artwork} colours[, {format:names~by their names}|]"]),
    # History, thought and religion.
    F("history", "history.reign_of|reignYears", "Years in which a ruler reigned.", "ruler=word:RULERS=The ruler|include_coregency?=bool=Years of shared rule too, default is false|calendar?=enum:gregorian:hijri:saka=Calendar, default is gregorian",
      ["when did {ruler} rule?", "reign of {ruler}", "how many years was {ruler} on the throne[, {include_coregency:true~shared rule included}|]?", "{ruler}: from when to when[, in the {calendar} calendar|]?", "My son has to draw a timeline with {ruler} on it. What years?", "Find the years during which {ruler} was in power"]),
    F("history", "war_summary|getWarDetails", "Sides, outcome and losses of a war or battle.", "war=word:WARS=The war or battle|aspect=enum:sides:outcome:casualties:commanders:causes=What is asked|sources?=bool=Whether to name sources, default is false",
      ["{aspect} of the {war}", "who fought in the {war}, {aspect:sides~on which side}?", "how did the {war} end, {aspect:outcome~who got what}?", "{war}: {aspect:casualties~how many died}", "I teach the {war} tomorrow and need the {aspect}[, {sources:true~with sources}|]"]),
    F("history", "treaty_terms|treaties.terms", "Terms of a treaty.", "treaty=word:TREATIES=The treaty|party?=word:COUNTRIES=Terms for this country|language?=word:TONGUES=Language of the text, default is English",
      ["what did the {treaty} say?", "terms of the {treaty}[ for {party}|]", "{treaty}[, {party}|]", "I'm reading about the {treaty} and got lost. What was agreed?"]),
    F("history", "empire_at_peak|empirePeak", "Size and population of an empire at its height.", "empire=word:EMPIRES=The empire|measure?=enum:area:population:provinces=What is asked, default is area|year?=year:1100:1900=In this year instead",
      ["how big was the {empire} at its height?", "{empire}, {measure:population~how many people lived in it}", "{measure} of the {empire}[ in {year}|]", "was the {empire} larger than France? give me its {measure:area~extent}"]),
    F("history", "archive.search_letters|searchLetters", "Search letters in a historical archive.", "correspondent=word:THINKERS=Who wrote or received the letter|keywords=words:LETTERTOPICS=Words in it|year_from?=year:1500:1700=From this year|year_to?=year:1701:1950=Up to this year",
      ["letters of {correspondent} about {keywords}", "search the archive: {correspondent}, {keywords}[, from {year_from} to {year_to}|]", "did {correspondent} ever write on {keywords}?", "find what {correspondent} and friends said of {keywords} in letters[ before {year_to}|]"]),
    F("history", "archaeology_sites|sitesNear", "Archaeological sites in a country.", "country=word:COUNTRIES=The country|period?=pick:Neolithic:Bronze Age:Iron Age:Roman:medieval=Period|open_to_public?=bool=Only those one may visit, default is false",
      ["ancient sites in {country}", "which {period} sites does {country} have?", "I'll be digging around {country} this summer. List sites[, {open_to_public:true~ones I can visit}|]", "{country}, archaeological sites[, {period}|]"]),
    F("philosophy", "philosopher_ideas|ideasOf", "Main ideas of a philosopher.", "philosopher=word:THINKERS=The philosopher|field=enum:ethics:politics:logic:metaphysics:aesthetics=Field|max_points?=int:2:9=How many points, default is 5",
      ["what did {philosopher} think about {field}?", "{philosopher} on {field}[ in {max_points} points|]", "{field} according to {philosopher}", "exam tomorrow! {philosopher}, {field:ethics~what is good and what is not}"]),
    F("religion", "religion.festival_date|festivalDate", "Date of a religious festival in a year.", "festival=word:FESTIVALS=The festival|year=year:2020:2032=The year|country?=word:COUNTRIES=Country|calendar_system?=enum:gregorian:lunar:julian=Calendar, default is gregorian",
      ["when is {festival} in {year}?", "{festival} {year}", "we plan leave around {festival}, which day is it in {year}[ in {country}|]?", "date of {festival} for the year {year}[, {calendar_system:julian~by the old calendar}|]", "On which date does {festival} fall in the year {year}?"]),
    F("religion", "religion_statistics|followersOf", "How many follow a religion in a country.", "religion=word:RELIGIONS=The religion|country=word:COUNTRIES=The country|year?=year:1950:2024=Year|as_percentage?=bool=In percent, default is false",
      ["how many people follow {religion} in {country}?", "{religion} in {country}[, {year}|][, {as_percentage:true~in percent}|]", "followers of {religion}, {country}", "I'm curious how widespread {religion} is in {country}[ as of {year}|]"]),
    F("religion", "holy_text.get_passage|scripturePassage", "Retrieve a passage of a holy book by chapter and verse.", "book=word:HOLYBOOKS=The book|chapter=int:1:40=Chapter|verse=int:1:30=Verse|translation?=pick:literal:modern:poetic:scholarly=Translation|with_commentary?=bool=With a commentary, default is false",
      ["{book} chapter {chapter} verse {verse}", "read me verse {verse} of chapter {chapter} in the {book}", "what does the {book} say in chapter {chapter}, verse {verse}[, {with_commentary:true~with a commentary}|]?", "My grandmother used to quote the {book}, chapter {chapter}, verse {verse}. What is it[, in a {translation} translation|]?"]),
    F("religion", "prayer_times|prayerTimes.today", "Times of prayer in a city.", "city=word:CITYCOUNTRY=City and country|date?=date=Day, YYYY-MM-DD, default is today|method?=pick:Umm al-Qura:Karachi:Cairo:Moonsighting=How they are reckoned",
      ["prayer times in {city}", "when is prayer in {city}[ on {date}|]?", "I'm travelling to {city}, please give the prayer times[ by the {method} method|]", "{city} namaz timings[ {date}|]", "Find out at what times one prays today in {city}"]),
    F("religion", "places_of_worship|worship_services", "Times of service in places of worship.", "faith=word:RELIGIONS=The religion|town=word:CITYSTATE=Town and state|weekday?=enum:friday:saturday:sunday=Day of the week|language?=word:TONGUES=Language of the service",
      ["{faith} services in {town}", "where is {faith} practised in {town}, and when are services[ on {weekday}|]?", "I've just moved to {town} and would like to practise {faith}[, in {language} if possible|]", "services {faith} {town}[, {weekday}|]"]),
    # Law.
    F("law", "case_documents.fetch|getCaseDocuments", "Fetch the documents of a case by its number.", "case_number=word:CASENOS=Number of the case|court?=word:CITIES=Seat of the court|document_type?=enum:complaint:judgment:motion:transcript=Kind of document|as_pdf?=bool=As PDF, default is true",
      ["documents of case {case_number}", "get me the {document_type} in {case_number}", "{case_number}[, court of {court}|]: everything filed", "we represent a party in {case_number}. I need the {document_type:judgment~ruling itself}", "fetch papers for {case_number}[, {as_pdf:false~plain text will do}|]", "Retrieve the files of the lawsuit with docket number {case_number}"]),
    F("law", "lawsuits.search_by_company|lawsuitsOfCompany", "Lawsuits in which a company is a party.", "company=word:COMPANIES=The company|filed_after?=word:PASTDAYS=Filed after this day, YYYY-MM-DD|status?=enum:open:settled:dismissed=Status|role?=enum:plaintiff:defendant=Role of the company|state?=word:USSTATES=US state",
      ["is {company} being sued?", "lawsuits against {company}, {role:defendant~where they're the ones accused}", "{company} court cases[ in {state}|]", "I'm thinking of buying shares of {company}; which suits are they in[, {status:open~still running}|]?", "search suits with {company}[ filed after {filed_after}|]"]),
    F("law", "attorney_match|lawyer.match", "Matches somebody with a lawyer. The state is given in two letters.", "practice_area=word:LAWFIELDS=Field of law|state=word:STATECODES=US state, two letters|language?=word:TONGUES=Language spoken|max_hourly_fee?=int:90:700=Highest fee an hour|free_consultation?=bool=Only with a free first talk, default is false",
      ["I need a lawyer for {practice_area} in {state}", "lawyer for {practice_area}, {state}[, speaks {language}|]", "who practises {practice_area} in {state:TX~Texas}?", "who practises {practice_area} in {state:OH~Ohio}?", "who practises {practice_area} in {state:FL~Florida}?", "who practises {practice_area} in {state:WA~Washington}?", "my landlord is in {state} and I want someone who knows {practice_area}[, at most {max_hourly_fee} an hour|]", "match me: {practice_area}, {state}[, {free_consultation:true~first talk free}|]"]),
    F("law", "statute_section|getStatute", "Text of a section of a statute.", "statute=word:STATUTES=The statute|section=int:1:140:any=Section|jurisdiction?=word:COUNTRIES=Country|version_date?=word:PASTDAYS=As it stood on this day, YYYY-MM-DD",
      ["section {section} of the {statute}", "what does the {statute} say in section {section}[, as of {version_date}|]?", "{statute}, s. {section}[ ({jurisdiction})|]", "quote me section {section}, {statute} please", "I have to cite the {statute}. What's in its section {section}?"]),
    F("law", "case_outcome|verdict.lookup", "How a case was decided.", "case_name=word:CASES=Names of the parties|year?=year:1965:2024=Year of the decision|with_dissent?=bool=Dissenting opinions too, default is false",
      ["how was {case_name} decided?", "{case_name}[ ({year})|]: outcome", "who won in {case_name}[, {with_dissent:true~and who disagreed}|]?", "In class we had {case_name} and I missed how it ended", "Find out how the court ruled in the matter of {case_name}"]),
    F("law", "trademark_search|trademarks.check", "Check whether a trademark is taken.", "mark=word:BRANDS=The name|nice_class?=int:1:45=Class of goods|office?=enum:USPTO:EUIPO:IPO_India:UKIPO=Which register|exact?=bool=Only the very same name, default is false",
      ["is the name {mark} still free as a trademark?", "trademark check {mark}[, class {nice_class}|]", "we'd call our soap {mark}. Has anybody registered that[, {exact:true~exactly that name}|]?", "{mark}: registered {office:USPTO~in the US}?"]),
    F("law", "parking_fine.contest|contestFine", "Contest a parking fine.", "ticket_number=code=Number of the fine|reason=enum:sign_missing:paid_already:broken_meter:emergency=Why|email=word:EMAILS=Where the answer goes",
      ["contest fine {ticket_number}, {reason:sign_missing~there was no sign}, answer to {email}", "I got {ticket_number} but {reason:paid_already~I had a valid ticket in the window}. Reply goes to {email}", "{ticket_number}: {reason:broken_meter~the meter was out of order}; {email}", "{reason:emergency~my wife was in labour}, so please object to {ticket_number}. My mail is {email}"]),
    # Health.
    F("medicine", "doctor_appointments.book|bookAppointment", "Book an appointment with a doctor of some specialty. The day must be in the form MM/DD/YYYY.", "specialty=word:SPECIALTIES=Kind of doctor|city=word:CITYSTATE=City and state|preferred_date=word:SLASHDATES=Day, MM/DD/YYYY|time_of_day?=enum:morning:afternoon:evening=Time of day, default is morning|insurance?=pick:BlueHarbor:MediPlan:StarCare:CitizenHealth=Insurance|new_patient?=bool=First visit, default is true",
      ["book me with the {specialty} in {city} on {preferred_date}", "I need to see some {specialty}, {city}, {preferred_date}[, {time_of_day:evening~after office hours}|]", "{specialty} appointment {preferred_date} {city}", "could some {specialty} in {city} see me {preferred_date:07/30/2026~on July 30, 2026}?", "could some {specialty} in {city} see me {preferred_date:09/21/2025~on the 21st of September 2025}?", "could some {specialty} in {city} see me {preferred_date:12/05/2026~on 5 December 2026}?", "my shoulder hurts and they said {specialty}. I live in {city} and could come on {preferred_date}", "fix an appointment with {specialty} at {city} on {preferred_date}[, {insurance} insurance|]"]),
    F("medicine", "hospital_er_wait|erWaitTime", "Waiting time in the emergency room of a hospital.", "hospital=word:HOSPITALS=The hospital|department?=enum:adult:pediatric:dental=Department, default is adult",
      ["how long is the wait in the ER of {hospital}?", "{hospital} emergency room wait[, {department:pediatric~children's side}|]", "my thumb is bleeding. How full is {hospital}?", "waiting time at {hospital} emergency"]),
    F("medicine", "dosage_for_child|pediatricDose", "Dose of a medicine for a child by weight.", "medicine=word:MEDICINES=The medicine|weight_kg=float:4:45=Weight of the child|age_months?=int:3:140=Age in months|form?=enum:syrup:tablet:drops=Form, default is syrup",
      ["how much {medicine} for a child of {weight_kg} kg?", "{medicine} dose, {weight_kg} kg[, {age_months} months old|]", "my boy weighs {weight_kg} kg and the label of {medicine} is unreadable, what's the dose[ as {form}|]?", "child dosage: {medicine}, {weight_kg} kg[, {form}|]"]),
    F("medicine", "side_effects.of|listSideEffects", "List side effects of a medicine.", "drug_name=word:MEDICINES=The medicine|severity?=enum:common:rare:serious=Which ones, default is common|age_group?=enum:child:adult:senior=For whom",
      ["side effects of {drug_name}", "what can {drug_name} do to me[, {severity:serious~I mean the dangerous things}|]?", "{drug_name} {severity} side effects", "Papa started {drug_name} yesterday. What should we watch out for[, {age_group:senior~he is eighty}|]?", "I've taken {drug_name} and feel odd. What unwanted effects does it have?"]),
    F("medicine", "lab_test.order|orderLabTest", "Order a lab test for a patient.", "patient=word:FIRSTS=Patient|test=word:LABTESTS=The test|fasting?=bool=Whether the patient must not eat before, default is false|priority?=enum:routine:urgent=Priority, default is routine|home_collection?=bool=Whether somebody comes to the home, default is false",
      ["order the {test} test for {patient}", "{patient} needs the {test} test[, {priority:urgent~as soon as possible}|]", "{test} test, patient {patient}[, {fasting:true~on an empty stomach}|]", "please book {test} test for {patient}[, {home_collection:true~the nurse should come home}|]"]),
    F("medicine", "patient_history.get|fetchPatientHistory", "Medical history of a patient.", "patient_id=code=Number of the patient|sections?=some:allergies:operations:medication:vaccinations:diagnoses=Parts of the history|since?=word:RECENTDAYS=From this day on, YYYY-MM-DD",
      ["history of patient {patient_id}", "show {sections} of {patient_id}", "patient {patient_id} just came in. What do we know[ since {since}|]?", "pull up the record {patient_id}[, {sections}|]", "The doctor needs the full medical background of {patient_id}"]),
    F("medicine", "nearest_blood_donation|bloodDrive.find", "Where one can give blood.", "zipcode=word:ZIPS=US zip code|blood_group?=pick:A+:O-:B+:AB-:O+=Blood group|on_date?=date=Day, YYYY-MM-DD",
      ["where can I give blood near {zipcode}?", "blood donation {zipcode}[ on {on_date}|]", "I'm {blood_group} and want to donate around {zipcode}", "blood drives, zip {zipcode}"]),
    F("medicine", "condition_overview|conditionInfo", "Information on an illness.", "condition=word:CONDITIONS=The illness|topic=enum:causes:treatment:prevention:diet=What about it|reading_level?=enum:simple:detailed=How it is written, default is simple",
      ["{topic} of {condition}", "I was told I have {condition}. {topic:diet~What should I eat}?", "how does one get {condition}, {topic:causes~where does it come from}?", "{condition}: {topic:prevention~how to keep from getting it}[, {reading_level} text|]", "tell me about the {topic} of {condition}", "Please inform me on {condition}, mainly the {topic}"]),
    F("medicine", "vaccine_schedule|vaccineNeeded", "Whether a traveller needs a vaccine for a country.", "vaccine=word:VACCINES=The vaccine|destination=word:COUNTRIES=Where to|traveler_age?=int:1:85=Age|stay_weeks?=int:2:40=Weeks of stay",
      ["do I need {vaccine} for {destination}?", "{vaccine} shot before {destination}[, staying {stay_weeks} weeks|]?", "flying to {destination} soon[, I'm {traveler_age}|]. Is {vaccine} asked for?", "{destination}: {vaccine} vaccination necessary?"]),
    F("medicine", "therapist_session|scheduleTherapy", "Schedule a session with a therapist.", "client=word:FIRSTS=Client|datetime=word:DATETIMES=Begin, ISO 8601|mode?=enum:video:phone:in_person=How, default is video|length_minutes?=int:30:90=Length in minutes, default is 50",
      ["session for {client} at {datetime}", "schedule {client}'s therapy, {datetime}[, {mode:in_person~at the practice}|]", "put {client} down for {datetime}[, {length_minutes} minutes|]", "therapist slot {datetime}, client {client}[ by {mode:phone~telephone}|]"]),
    # Fitness.
    F("fitness", "workout.create_routine|buildWorkout", "Create a workout from exercises with sets and repetitions.", "routine_name=pick:Monday Strength:Leg Day:Quick Core:Home Circuit:Full Body A=Name|exercises=objs:EXERCISE=The exercises|rest_seconds?=int:20:180=Rest between sets, default is 60|warmup?=bool=With a warm-up, default is true",
      ["create {routine_name}: {exercises}", "I want a workout called {routine_name} with {exercises}", "{routine_name} = {exercises}[, {rest_seconds} seconds rest|]", "save my plan {routine_name}, that's {exercises}[, {warmup:false~no warm-up}|]"]),
    F("fitness", "calories_by_activity|activityCalories", "Calories burned in an activity.", "activity=word:WORKOUTS=Activity|minutes=int:10:180=Minutes|body_weight=int:40:130=Weight in kg|intensity?=enum:light:moderate:vigorous=Intensity, default is moderate",
      ["calories of {minutes} minutes {activity} at {body_weight} kg?", "I weigh {body_weight} kg and did {activity} for {minutes} minutes. What did I burn[, it was {intensity}|]?", "{activity} {minutes} min {body_weight} kg kcal", "how many calories do I burn by {activity}, {minutes} minutes, {body_weight} kilos[, {intensity:vigorous~really hard}|]?", "after {minutes} minutes of {activity} (I'm {body_weight} kg) how much energy is gone?"]),
    F("fitness", "gym_class.sign_up|joinGymClass", "Sign up for a class in a gym.", "class_name=word:WORKOUTS=The class|member=word:FIRSTS=Member|day=enum:monday:tuesday:wednesday:thursday:friday:saturday:sunday=Day of the week|time?=time=Time|trainer?=word:FIRSTS=Trainer",
      ["sign {member} up for {class_name} on {day}", "{member} would like to do {class_name}, {day:saturday~Saturdays}[ at {time}|]", "gym: {class_name}, {day}, {member}[, trainer {trainer}|]", "is there room in {class_name} on {day}? then put {member} in"]),
    F("fitness", "exercises_for_muscle|muscleExercises", "Exercises for a group of muscles.", "muscle_group=word:MUSCLES=Muscles|equipment?=enum:none:dumbbells:barbell:bands=Equipment, default is none|difficulty?=enum:beginner:intermediate:expert=Difficulty",
      ["exercises for my {muscle_group}", "train {muscle_group} at home with {equipment:bands~just a rubber band}", "what's good for the {muscle_group}[, {difficulty:beginner~I've never trained}|]?", "{muscle_group} with {equipment:dumbbells~a pair of dumbbells}", "physio says my {muscle_group} are weak. What can I do?"]),
    F("fitness", "step_goal.set|setStepGoal", "Set a goal of steps.", "steps=int:2000:25000=Steps|period?=enum:day:week=Per day or week, default is day|reminders?=bool=Whether to be reminded, default is true",
      ["set my goal to {steps} steps", "{steps} steps a {period}", "I sit too much, make it {steps} steps from now on[, {reminders:false~but don't nag me}|]", "step goal {steps}"]),
    F("fitness", "sync_tracker|wearables.sync", "Sync a fitness tracker.", "device=pick:Pulse Band 3:TrackFit Mini:Orbit Watch:Stride 2=The tracker|account=word:EMAILS=Account|data_types?=some:steps:sleep:pulse:weight=What is synced, default is all",
      ["sync my {device} with {account}", "{device} -> {account}[, {data_types}|]", "the {device} on my wrist should send its data to {account}[, only {data_types}|]", "connect {account} and {device}, sync now"]),
    # Garden and pets.
    F("garden", "frost_dates|lastFrost", "Dates of the last and first frost in a place.", "zip=word:ZIPS=US zip code|which?=enum:last_spring:first_autumn=Which frost, default is last_spring|probability?=percent:10:90=Chance in percent",
      ["when is the last frost in {zip}?", "frost date {zip}", "can my seedlings go out yet, I'm in {zip}? I need the frost date", "{zip}, {which:first_autumn~when will it freeze again}[ at {probability}|]?"]),
    F("garden", "companion_plants|goodNeighbours", "Which plants do well beside one another.", "plant=word:VEGETABLES=The plant|avoid_list?=bool=Those that do harm instead, default is false|bed_type?=enum:raised:open:greenhouse=Kind of bed",
      ["what grows well next to {plant}?", "companions for {plant}[ in a {bed_type:raised~raised bed}|]", "{plant} beside what? {avoid_list:true~Tell me the bad neighbours}", "I've half a bed left next to the {plant}. What should I plant there?"]),
    F("garden", "pest_remedy|gardenPests.treat", "What helps against a pest in the garden.", "pest=word:PESTS=The pest|crop=word:PLANTS=Plant that has it|organic_only?=bool=Without chemistry, default is false|indoors?=bool=Inside the house, default is false",
      ["{pest} on my {crop}, what helps?", "get rid of {pest} on {crop}[, {organic_only:true~without poison}|]", "my {crop} is full of {pest}. Remedy?", "{crop}: {pest}[, {indoors:true~it stands in the living room}|]"]),
    F("garden", "seeds.order|orderSeeds", "Order seeds or bulbs.", "variety=word:VEGETABLES=What to sow|packets=int:2:30=How many packets|address=word:ADDRESSES=Where to|heirloom?=bool=Only old varieties, default is false",
      ["order {packets} packets of {variety} to {address}", "send seeds of {variety}, {packets} packets, {address}[, {heirloom:true~old varieties}|]", "seeds: {packets}x {variety} -> {address}", "spring is coming: get me {packets} packets of {variety}, I live at {address}"]),
    F("pets", "pet_names.suggest|suggestPetName", "Suggest names for a pet.", "animal=word:PETS=The animal|gender?=enum:male:female:any=Male or female, default is any|theme?=pick:food:mythology:space:music:flowers=Theme|count?=int:3:20=How many, default is 5",
      ["we got a {animal}! what shall we call it?", "names for a new {animal}, {gender}", "{count} {theme} names for my {animal}", "suggest a name for a {animal}[, something with {theme}|]"]),
    F("pets", "kennel.book_stay|bookKennel", "Book a stay for a pet while its people are away.", "pet_name=word:PETNAMES=Name of the pet|kind=word:PETS=Kind of animal|from_date=word:EARLYDAYS=First day, YYYY-MM-DD|to_date=word:LATEDAYS=Last day, YYYY-MM-DD|walks_per_day?=int:1:5=Walks a day|own_food?=bool=Whether it brings its food, default is false",
      ["book {pet_name} the {kind} in from {from_date} to {to_date}", "we're away {from_date} until {to_date}; {pet_name}, our {kind}, needs a place", "{kind} {pet_name} {from_date} - {to_date} kennel[, {walks_per_day} walks a day|]", "Can {pet_name} stay with you? It's a {kind}, {from_date} to {to_date}[, {own_food:true~I bring the food}|]", "From {from_date} through {to_date} nobody's home; our {kind} is called {pet_name}, please reserve a place"]),
    F("pets", "is_food_safe|petFoodSafety", "Whether a pet may eat something.", "food=word:FOODS=The food|animal=word:PETS=The animal|amount_grams?=int:5:300=How much of it|age_years?=float:0.5:15=Age of the animal",
      ["can a {animal} eat {food}?", "my {animal} just swallowed {food}[, about {amount_grams} g|]. Is that bad?", "{food} ok for a {animal}[ of {age_years} years|]?", "is {food} safe for my {animal}"]),
    F("pets", "dog_walker.request|hireDogWalker", "Request somebody to walk a dog.", "dog=word:PETNAMES=Name of the dog|address=word:ADDRESSES=Where to fetch it|start=time=When|minutes?=int:20:120=How long, default is 30|breed?=word:BREEDS=Breed",
      ["walk {dog} at {start}, we live at {address}", "dog walker for {dog}, {address}, {start}[, {minutes} minutes|]", "I can't get home. Could somebody take {dog} out at {start}? {address}", "{start} {address}: {dog}[, a {breed}|]"]),
    # Schools and universities.
    F("education", "university.course_catalog|courseCatalog.search", "Look up the courses a university offers in a subject.", "university=word:UNIS=The university|subject=word:SUBJECTS=Subject|term?=enum:fall:spring:summer=Term, default is fall|level?=enum:undergraduate:graduate=Level|online_only?=bool=Only online courses, default is false",
      ["{subject} courses at {university}", "what does {university} teach in {subject}[ this {term}|]?", "I'm a nurse and would like some {subject} in the evenings. Does {university} have that[, {online_only:true~it must be online}|]?", "{university}: {subject}, {level} level", "look through the catalogue of {university} for {subject}"]),
    F("education", "tuition_estimate|tuitionFees.estimate", "Estimate the tuition of a university.", "school_name=word:UNIS=The university|years=int:2:6=Years of study|residency?=enum:in_state:out_of_state:international=Residency, default is in_state|scholarship?=int:500:20000=Scholarship a year|include_housing?=bool=With a room, default is false",
      ["what will {years} years at {school_name} cost me?", "tuition {school_name}, {years} years, {residency:international~I come from abroad}", "my twins both want to go to {school_name} for {years} years. How much is it for one[, {include_housing:true~room included}|]?", "estimate {years} years of {school_name}[ with a scholarship of {scholarship} a year|]", "Our daughter dreams of {school_name}. If she stays {years} years, what do we pay?"]),
    F("education", "acceptance_rate|admissionOdds", "How many applicants a university takes.", "university_name=word:UNIS=The university|program?=word:SUBJECTS=Programme|year?=year:2010:2025=Year",
      ["acceptance rate of {university_name}", "how hard is it to get into {university_name}[ for {program}|]?", "what share of applicants did {university_name} take[ in {year}|]?", "{university_name} acceptance rate[, {program}|]"]),
    F("education", "school_ratings|findSchoolRating", "How a school is rated.", "school=word:SCHOOLS=The school|city=word:CITYSTATE=City and state|criteria?=some:teachers:safety:maths:sports:food=What is rated",
      ["how good is {school} in {city}?", "ratings for {school}, {city}[: {criteria}|]", "we're thinking of {school} for our son. It's in {city}. What do others say[ about {criteria}|]?", "{city}, {school} - rating please"]),
    F("education", "report_card.publish|publishMarks", "Publish the marks of a pupil.", "pupil=word:FIRSTS=Pupil|marks=objs:MARK=Marks by subject|term=enum:first:second:final=Term|notify_parents?=bool=Whether the parents get a message, default is true",
      ["publish {pupil}'s {term} term marks: {marks}", "{pupil} has {marks}, {term} term[, {notify_parents:false~don't tell the parents yet}|]", "report card for the {term} term, {pupil}, {marks}", "put out the marks of {pupil} for {term:final~the end of the year}: {marks}"]),
    F("education", "scholarships.search|findScholarships", "Search scholarships.", "field_of_study=word:SUBJECTS=Field|nationality=word:COUNTRIES=Country of the applicant|degree_level?=enum:bachelor:master:phd=Degree|min_amount?=int:500:20000=Smallest sum a year|deadline_after?=date=With a deadline after this day, YYYY-MM-DD",
      ["scholarships in {field_of_study} for somebody from {nationality}", "I come from {nationality} and study {field_of_study}. Any money for me[, at least {min_amount}|]?", "{field_of_study}, {nationality}, {degree_level:phd~doctoral} grants", "which scholarships can a student from {nationality} get in {field_of_study}[ with deadlines after {deadline_after}|]?", "Look for grants open to students from {nationality} in the field of {field_of_study}"]),
    F("education", "tutor.hire|requestTutor", "Request a tutor.", "subject=word:SUBJECTS=Subject|student_name=word:FIRSTS=Who is taught|hours_per_week=int:2:10=Hours a week|online?=bool=Online, default is true|max_rate?=int:10:90=Highest pay an hour",
      ["find a tutor in {subject} for {student_name}, {hours_per_week} hours a week", "{student_name} is failing {subject}. Get help for {hours_per_week} hours each week[, {online:false~at our home}|]", "tutor: {subject}, {hours_per_week} h/week, {student_name}", "I need somebody to teach {student_name} {subject} for {hours_per_week} hours weekly[, not above {max_rate} an hour|]"]),
    F("education", "exam_timetable|examSchedule.get", "Dates of exams in a course.", "course_code=pick:MATH204:BIO110:CS330:HIST101:ECON250:PHY220=Code of the course|campus?=pick:North:City:Harbour:Online=Campus|semester?=enum:autumn:spring=Semester",
      ["when is the exam in {course_code}?", "{course_code} exam date[, {campus} campus|]", "I overslept the lecture. When do we sit {course_code}[ this {semester}|]?", "exam schedule for {course_code}", "On which day is {course_code} examined?"]),
    # Work.
    F("jobs", "job_board.search|searchOpenPositions", "Search open positions. The location is written 'City, State'; salaries are a year.", "title=word:JOBS=Title of the job|location=word:CITYSTATE=City and state|salary_min?=int:30000:180000=Least pay a year|remote?=bool=From home, default is false|job_type?=enum:full_time:part_time:contract:internship=Kind of job, default is full_time|posted_within_days?=int:1:30=Posted in so many days",
      ["find {title} jobs in {location}", "I work as {title} and we move to {location}. Who's hiring[, at least {salary_min}|]?", "{title} {location}", "any {job_type:part_time~half-day} work as {title} around {location}?", "jobs as {title}, {location}[, {remote:true~I'd work from home}|]", "my cousin wants to work as {title} at {location}, kindly show openings[ of the last {posted_within_days} days|]"]),
    F("jobs", "interview.schedule|scheduleInterview", "Schedule a job interview.", "candidate=word:FIRSTS=Candidate|position=word:JOBS=The job|when=word:DATETIMES=Begin, ISO 8601|interviewers?=words:FIRSTS=Who interviews|format?=enum:onsite:video:phone=Form, default is video",
      ["interview {candidate} for {position} at {when}", "schedule {candidate} ({position}), {when}[ with {interviewers}|]", "{candidate} applied as {position}; put the interview at {when}[, {format:onsite~in our office}|]", "set {when} for the {position} interview of {candidate}", "{candidate} comes for the {position} job {when:2025-11-27T18:45:00~on November 27, 2025 at 6:45 pm}, note the interview", "{candidate} comes for the {position} job {when:2026-04-09T08:15:00~on 9 April 2026, 8:15 am}, note the interview", "{position} candidate {candidate}: invite for {when}"]),
    F("jobs", "resume.parse_skills|extractSkills", "Compare the skills of an applicant with those a job asks for.", "applicant_skills=words:SKILLS=What the applicant can do|job_title=word:JOBS=The job|years_experience?=int:1:30=Years in the trade",
      ["I know {applicant_skills}. Am I fit to work as {job_title}?", "skills {applicant_skills} vs {job_title}", "does somebody with {applicant_skills}[ and {years_experience} years of experience|] match the {job_title} job?", "{job_title}: applicant has {applicant_skills}"]),
    F("jobs", "freelancer.hire|hireFreelancer", "Hire a freelancer for some hours.", "skill=word:SKILLS=Skill|hours=int:2:120=Hours|hourly_budget=int:10:150=Pay an hour|timezone?=word:ZONES=Time zone|nda?=bool=Whether a secrecy agreement is signed, default is false",
      ["hire someone for {skill}, {hours} hours at {hourly_budget} an hour", "I've {hours} hours of {skill} to give away and pay {hourly_budget} per hour", "freelancer {skill} {hours}h @ {hourly_budget}[, {nda:true~they must sign an NDA}|]", "looking for {skill} help at {hourly_budget} an hour, {hours} hours[, time zone {timezone}|]"]),
    F("hr", "hr.leave_balance|getLeaveBalance", "Days of leave an employee has left.", "employee_id=word:EMPLOYEES=Number of the employee|leave_type?=enum:annual:sick:parental:unpaid=Kind of leave, default is annual|as_of?=date=As of this day, YYYY-MM-DD",
      ["how many days off does {employee_id} have left?", "leave balance {employee_id}[, {leave_type:sick~for being ill}|]", "I'm {employee_id}. Can I still take a week off[ by {as_of}|]?", "{employee_id} {leave_type} leave remaining", "Check the remaining holiday of the employee with id {employee_id}"]),
    F("hr", "payroll.get_payslip|fetchPayslip", "Fetch the payslip of an employee.", "employee=word:EMPLOYEES=Number of the employee|month=word:MONTHS=Month|year=year:2015:2026=Year|format?=enum:pdf:html:csv=Format, default is pdf",
      ["payslip of {employee} for {month} {year}", "I need my payslip, {employee}, {month} {year}[ as {format}|]", "{employee} {month} {year} pay slip", "the bank wants to see what {employee} earned in {month} {year}, fetch the slip"]),
    F("hr", "onboard_employee|employees.onboard", "Onboard a new employee.", "name=word:FIRSTS=Name|department=word:DEPARTMENTS=Department|start_date=date=First day, YYYY-MM-DD|equipment?=some:laptop:phone:headset:badge:desk=What is handed out|buddy?=word:FIRSTS=Who helps in the first weeks",
      ["{name} starts in {department} on {start_date}", "onboard {name}: {department}, {start_date}[, needs {equipment}|]", "we have a new colleague, {name}, joining {department} on {start_date}[. {buddy} will look after the newcomer|]", "new hire {name} / {department} / {start_date}", "Our {department} team gets bigger: {name} begins work on {start_date}"]),
    F("hr", "timesheet.submit_hours|submitHours", "Submit hours of work on a project.", "worker=word:EMPLOYEES=Number of the employee|hours=float:0.5:12=Hours|project=word:REPOS=Project|work_date?=date=Day, YYYY-MM-DD, default is today|billable?=bool=Whether the customer pays, default is true",
      ["{worker} worked {hours} hours on {project}", "book {hours} h for {worker}, {project}[, {work_date}|]", "I'm {worker}, put down {hours} hours on {project}[, {billable:false~not billable}|]", "timesheet {worker}: {project} {hours}"]),
    F("hr", "headcount_by_department|countStaff", "How many work in a department.", "department=word:DEPARTMENTS=Department|office?=word:CITIES=Office|contract?=enum:permanent:temporary:intern=Kind of contract|on_date?=date=On this day, YYYY-MM-DD",
      ["how many people work in {department}?", "headcount {department}[, {office} office|]", "the board asks for the size of {department}[ on {on_date}|]", "staff in {department}[, {contract} only|]"]),
    F("hr", "performance_review.record|addReview", "Record a review of an employee.", "reviewee=word:FIRSTS=Employee|rating=int:1:5=Rating|period=enum:q1:q2:q3:q4:annual=Period|strengths?=words:SKILLS=Strengths|promote?=bool=Whether to promote, default is false",
      ["{reviewee} gets a {rating} for {period}", "record {period} review: {reviewee}, {rating}[, strong in {strengths}|]", "review {reviewee}, {rating} of 5, {period:annual~for the whole year}[, {promote:true~time for a promotion}|]", "my {period} rating of {reviewee} is {rating}"]),
    # Firms and markets.
    F("companies", "company_registry.lookup|companyProfile", "Retrieve the profile of a company from the register of a country.", "company_name=word:COMPANIES=The company|country=word:COUNTRYCODES=Two letter country code|include_directors?=bool=Whether to list directors, default is false|fields?=some:address:founded:employees:owner:revenue=What is wanted",
      ["who owns {company_name} in {country}? {fields}", "profile of {company_name}, {country}", "{country:DE~Germany}, firm {company_name}: what does the register say?", "{country:SG~Singapore}, firm {company_name}: what does the register say?", "{country:ZA~South Africa}, firm {company_name}: what does the register say?", "look {company_name} up in the {country} register[, {include_directors:true~with the directors}|]", "before I sign with {company_name} I want to see their entry, country is {country}", "I'd like the official entry of {company_name} in the register of {country}"]),
    F("companies", "ceo_of|companyLeadership", "Who holds a post in a company.", "company=word:COMPANIES=The company|post?=enum:ceo:cfo:chair:founder=Post, default is ceo|year?=year:1990:2025=In this year",
      ["who runs {company}?", "{company} {post}[ in {year}|]", "who was {post} of {company} in {year}?", "I'm writing to the top of {company}. What's the name[ of the {post}|]?"]),
    F("companies", "subsidiaries.list|companySubsidiaries", "Companies that belong to a company.", "parent_company=word:COMPANIES=The parent|country_filter?=word:COUNTRIES=Only in this country|min_ownership?=percent:20:100=Smallest share in percent",
      ["which firms belong to {parent_company}?", "{parent_company} subsidiaries[ in {country_filter}|]", "what else does {parent_company} own[, at least {min_ownership} of it|]?", "daughters of {parent_company}"]),
    F("stocks", "stock.quote_on_exchange|quoteOn", "Quote of a company's share on a foreign exchange.", "company=word:COMPANIES=The company|exchange=word:EXCHANGES=The exchange|currency?=word:MONEY=Currency of the quote|delayed_ok?=bool=Whether it may be fifteen minutes old, default is true",
      ["what does {company} trade at on the {exchange}?", "{company} share, {exchange}[ in {currency}|]", "quote {company} at the {exchange}[, {delayed_ok:false~it must be live}|]", "my uncle in the old country holds {company}, listed on the {exchange}. How is it doing?"]),
    F("stocks", "ohlc.get|quoteHistory", "Daily prices of a share between two days.", "symbol=word:TICKERS=Ticker symbol|start_date=word:PASTDAYS=First day, YYYY-MM-DD|end_date=word:RECENTDAYS=Last day, YYYY-MM-DD|interval?=enum:1d:1wk:1mo=Step, default is 1d|adjusted?=bool=Adjusted for splits, default is true",
      ["prices of {symbol} from {start_date} to {end_date}", "{symbol} {start_date} - {end_date}[ {interval}|]", "I sold {symbol} too early. Show how it went between {start_date} and {end_date}", "pull {symbol} quotes starting {start_date} till {end_date}[, {adjusted:false~not adjusted}|]", "How did {symbol} move from {start_date} until {end_date}?"]),
    F("stocks", "dividend_calendar|nextDividend", "When a share pays its next dividend.", "ticker=word:TICKERS=Ticker symbol|exchange?=word:EXCHANGES=The exchange|include_history?=bool=Earlier ones too, default is false",
      ["when does {ticker} pay a dividend?", "next dividend {ticker}[ on the {exchange}|]", "I hold {ticker}, when do I get money[, {include_history:true~and what came before}|]?", "dividend date of {ticker}"]),
    F("stocks", "portfolio.evaluate|portfolioWorth", "Evaluate a portfolio of shares.", "holdings=objs:HOLDING=Shares held|base_currency?=word:MONEY=Currency, default is USD|benchmark?=word:INDICES=Index to compare with",
      ["what are {holdings} worth?", "my portfolio: {holdings}[, in {base_currency}|]", "I own {holdings}. How am I doing[ against the {benchmark}|]?", "evaluate {holdings}"]),
    F("stocks", "index_constituents|indexMembers", "Which companies are in an index.", "index=word:INDICES=The index|sector?=pick:energy:banks:technology:health:retail=Sector|sort_by?=enum:weight:name:change=Order, default is weight|top_n?=int:3:50=How many",
      ["which companies are in the {index}?", "{index} members[, {sector} only|]", "top {top_n} of the {index}", "I want to copy the {index}. What's in it[, {sort_by:weight~heaviest first}|]?", "List all firms that make up the {index}"]),
    F("stocks", "limit_order.place|placeLimitOrder", "Place an order for shares at a price.", "ticker=word:TICKERS=Ticker symbol|side=enum:buy:sell=Buy or sell|quantity=int:1:900=Number of shares|limit_price=float:2:400=Price|time_in_force?=enum:day:gtc:ioc=How long it stands, default is day|account?=code=Account",
      ["{side} {quantity} {ticker} at {limit_price}", "I want to {side} {quantity} shares of {ticker} if they reach {limit_price}", "limit order: {ticker}, {side}, {quantity} @ {limit_price}[, {time_in_force:gtc~good till cancelled}|]", "put {quantity} {ticker} in at {limit_price}, {side:sell~I'm getting out}[, account {account}|]"]),
    F("crypto", "crypto.market_cap|coinMarketCap", "Market value of all coins of a kind.", "coin=word:COINS=The coin|in_currency?=word:MONEY=Currency, default is USD|rank_too?=bool=Rank among all coins, default is false",
      ["market cap of {coin}", "how much are all {coin} in the world worth[ in {in_currency}|]?", "{coin} market cap[ {in_currency}|]", "is {coin} bigger than it was? I need the total value[, {rank_too:true~and the rank}|]", "Find the total market value of {coin}"]),
    F("crypto", "wallet.transfer_coin|sendCrypto", "Send coins to another wallet.", "coin=word:COINS=The coin|amount=float:0.01:40=How much|to_wallet=pick:bc1q8xz77:0x9fA4c2:addr1vx20:LbTq93:4Akmp77=Wallet|speed?=enum:slow:normal:fast=Speed, default is normal|memo?=code=Memo",
      ["send {amount} {coin} to {to_wallet}", "{to_wallet} gets {amount} {coin}[, {speed:fast~as quick as possible}|]", "transfer {coin}: {amount} -> {to_wallet}", "I owe a friend {amount} {coin}. The wallet is {to_wallet}"]),
    F("crypto", "gas_fee.estimate|networkFee", "Fee for a transaction on a blockchain.", "network=pick:Ethereum:Polygon:Arbitrum:Solana:Bitcoin=The network|priority?=enum:low:medium:high=Priority, default is medium|tx_type?=enum:transfer:swap:mint=Kind of transaction, default is transfer",
      ["what's the fee on {network} right now?", "{network} gas[ for a {tx_type}|]", "is it cheap to send on {network} at the moment[, {priority:low~I'm in no hurry}|]?", "network fee {network} {priority} priority"]),
    F("money", "fx.rate_on_date|historicalRate", "Exchange rate of two currencies on a day.", "base=word:MONEY=Base currency, three letters|quote=word:MONEY=Other currency, three letters|date=word:PASTDAYS=Day, YYYY-MM-DD|source?=enum:central_bank:market=Source, default is market",
      ["{base} to {quote} rate on {date}", "how many {quote} was one {base} on {date}?", "what was the {base:USD~dollar} worth in {quote:JPY~yen} on {date}?", "what was the {base:GBP~pound} worth in {quote:EUR~euros} on {date}?", "what was the {base:USD~dollar} worth in {quote:INR~rupees} on {date}?", "for my tax return: {base}/{quote}, {date}[, {source:central_bank~the official rate}|]", "rate {date} {base} {quote}"]),
    F("money", "currency_exchange.convert_amount|exchangeAmount", "Convert a sum of money, with the fee of the bank.", "amount=num=The sum|from_currency=word:MONEY=Currency of the sum, three letters|to_currency=word:MONEY=Currency wanted, three letters|fee_percent?=percent:1:6=Fee in percent, default is 0|round_to?=int:0:4=Decimals, default is 2",
      ["convert {amount} {from_currency} to {to_currency}", "what do I get in {to_currency} for {amount} {from_currency}[ if the bank keeps {fee_percent}|]?", "{amount} {from_currency} in {to_currency}", "how many {to_currency:EUR~euros} are {amount} {from_currency:USD~US dollars}?", "how many {to_currency:INR~rupees} are {amount} {from_currency:GBP~British pounds}?", "how many {to_currency:JPY~yen} are {amount} {from_currency:CHF~Swiss francs}?", "my aunt sends {amount} {from_currency}, how much {to_currency} is that?", "kindly change {amount} {from_currency} into {to_currency}"]),
    F("money", "find_atm_fees|atmFee", "Fee for taking out cash abroad.", "bank=pick:Northfold Bank:Sundara Bank:Harbour Savings:Volksbank Mitte:Citizen Credit=Your bank|country=word:COUNTRIES=Where|amount?=int:20:600=Sum|card?=enum:debit:credit=Card, default is debit",
      ["what does {bank} charge for cash in {country}?", "atm fee {bank}, {country}[, {amount}|]", "I'm off to {country} with my {bank} {card} card. What's the fee at a machine?", "{bank}: taking out cash in {country}"]),
    F("commodities", "commodity_futures|futuresQuote", "Quote of a commodity for delivery in a month.", "commodity=word:COMMODITIES=The commodity|delivery_month=word:MONTHS=Month of delivery|unit?=enum:barrel:ounce:bushel:tonne=Unit|year?=year:2025:2028=Year",
      ["{commodity} futures for {delivery_month}", "what is {commodity} trading at for {delivery_month}[ {year}|]?", "we roast and bake; quote me {commodity}, {delivery_month}[ per {unit}|]", "{delivery_month} {commodity} future", "We harvest soon. What do they offer for {commodity} delivered in {delivery_month}?"]),
    # Government.
    F("government", "census.query_population|censusData", "Population of a US state by age and year from the census.", "state=word:USSTATES=US state|year=year:1950:2020=Year of the census|age_group?=enum:children:adults:seniors=Group by age, default is all|breakdown?=enum:county:city:none=How it is split",
      ["population of {state} in {year}", "how many {age_group} lived in {state} in {year}?", "census {state} {year}[ by {breakdown}|]", "for geography class I need {state}, {year}: how many people, {age_group:seniors~just the old ones}?", "How many inhabitants did the census count in {state} in the year {year}?"]),
    F("government", "passport_renewal.apply|renewPassport", "Apply for the renewal of a passport.", "passport_number=pick:L8837201:Z1180456:C4F9TT20:533880174:PA2209713=Number of the old passport|applicant=word:FIRSTS=Applicant|expedited?=bool=Whether it is rushed, default is false|pages?=int:28:52=Pages",
      ["renew passport {passport_number} for {applicant}", "{applicant}'s passport {passport_number} runs out, apply for a new one[, {expedited:true~it's urgent}|]", "passport renewal: {applicant}, {passport_number}[, {pages} pages|]", "I'm {applicant} and travel soon. Old passport no. is {passport_number}, please renew"]),
    F("government", "agency.book_slot|bookGovAppointment", "Book a slot at a public office.", "agency=word:AGENCIES=The office|service=pick:id card:change of address:driving licence:birth certificate:tax number=What for|date=date=Day, YYYY-MM-DD|language?=word:TONGUES=Language|accessible?=bool=Without steps, default is false",
      ["a slot at the {agency} on {date} about my {service}", "I need the {agency}, {service}, {date}", "{agency} {date}: {service}[, {accessible:true~I use a wheelchair}|]", "my {service} has to be done at the {agency}. Can I go on {date}[ and speak {language}|]?"]),
    F("government", "voter_registration|isRegisteredVoter", "Whether somebody is on the roll of voters.", "first_name=word:FIRSTS=First name|birth_date=word:BIRTHDAYS=Date of birth, YYYY-MM-DD|zip=word:ZIPS=US zip code",
      ["is {first_name}, born {birth_date}, registered to vote in {zip}?", "voter roll {zip}: {first_name}, {birth_date}", "I'm {first_name}, zip {zip}, date of birth {birth_date}. Am I on the voters' list?", "the neighbour {first_name} wants to know if they may vote. Birthday {birth_date}, zip code {zip}"]),
    F("government", "budget_spending|governmentSpending", "What a country spends on something.", "country=word:COUNTRIES=The country|sector=enum:education:defence:health:transport:research=On what|fiscal_year?=year:1995:2025=Year|per_capita?=bool=Per person, default is false",
      ["how much does {country} spend on {sector}?", "{country} {sector} budget[ {fiscal_year}|]", "spending on {sector} in {country}[, {per_capita:true~per head}|]", "is it true that {country} puts more into {sector:defence~its army} than its neighbours? what's the sum[ for {fiscal_year}|]?"]),
    F("government", "crime_statistics|crimeData.get", "Numbers of crimes in a city.", "city=word:CITYSTATE=City and state|offence=enum:burglary:theft:fraud:vandalism=Kind of crime|year?=year:2000:2025=Year|per_100k?=bool=Per hundred thousand people, default is false",
      ["{offence} in {city}", "how many cases of {offence} had {city}[ in {year}|]?", "{city}: {offence:theft~things stolen}[, {per_100k:true~per 100,000 people}|]", "we may move to {city}. How bad is {offence} there?", "Get the number of {offence} cases reported in {city}"]),
    F("government", "report_pothole|cityReport.submit", "Report a problem in the street to the city.", "problem=enum:pothole:broken_light:graffiti:blocked_drain=The problem|address=word:ADDRESSES=Where|photo_url?=url=Address of a photo|urgent?=bool=Whether it is dangerous, default is false",
      ["{problem:pothole~a hole in the road} at {address}", "report {problem:broken_light~a street lamp that's out}, {address}", "somebody sprayed the wall, {problem:graffiti~paint all over it}, at {address}[. Photo: {photo_url}|]", "{address} floods, {problem:blocked_drain~the drain is stopped up}[, {urgent:true~it's dangerous}|]"]),
    # Shops and orders.
    F("shopping", "shop.search_catalog|catalogSearch", "Search the catalogue of a shop. Results can be narrowed by brand, colour and a range of prices.", "query=word:GOODS=What is wanted|price_range?=obj:RANGE=Lowest and highest price|brand?=word:BRANDS=Brand|color?=word:COLORS=Colour|in_stock_only?=bool=Only what is there, default is true|sort?=enum:price_asc:price_desc:rating=Order",
      ["show me {query}", "{query} {price_range}", "I'm after {query} in {color}[ by {brand}|]", "looking for {brand} {query}, {sort:price_asc~cheapest first}", "do you have any {query}[, {in_stock_only:false~sold out ones too}|]?", "birthday gift idea: {query}. What is there?"]),
    F("shopping", "cart.update_items|updateCart", "Replace what is in the cart.", "lines=objs:CARTLINE=What is in the cart|coupon?=word:COUPONS=Code for a discount|gift_message?=pick:happy birthday:thank you:get well soon=Message",
      ["make my cart {lines}", "the cart should hold {lines}[, code {coupon}|]", "change the basket to {lines}[ with the message {gift_message}|]", "I need {lines} in the cart"]),
    F("shopping", "apply_coupon|coupons.redeem", "Apply a coupon to an order.", "code=word:COUPONS=The coupon|order_id=word:ORDERS=The order|email?=word:EMAILS=Mail of the customer",
      ["apply {code} to order {order_id}", "I forgot my code {code} on {order_id}, can you still add it?", "coupon {code}, order {order_id}[, {email}|]", "{order_id}: use {code}"]),
    F("shopping", "product_tracker.history|pricewatch", "How a product's price went in a shop.", "product=word:GOODS=The product|shop?=word:SHOPS=The shop|days?=int:7:365=Days back, default is 30|alert_below?=float:5:400=Tell me when it falls below",
      ["how did the price of {product} move?", "{product} price over {days} days[ at {shop}|]", "did the {product} get cheaper since last month[ at {shop}|]?", "watch {product}[, tell me below {alert_below}|]"]),
    F("orders", "order.change_address|updateDeliveryAddress", "Change the address of an order.", "order_id=word:ORDERS=The order|new_address=word:ADDRESSES=New address|city?=word:CITIES=City|leave_with_neighbour?=bool=Whether the neighbour may take it, default is false",
      ["send order {order_id} to {new_address} instead", "{order_id}: new address {new_address}[, {city}|]", "I moved! {order_id} should go to {new_address}[, {leave_with_neighbour:true~the neighbour can take it}|]", "change where {order_id} goes: {new_address}", "The parcel for {order_id} must not go to the old flat but to {new_address}"]),
    F("orders", "orders.cancel_line|cancelOrder", "Cancel an order.", "order_number=word:ORDERS=The order|reason?=enum:too_slow:found_cheaper:ordered_twice:other=Why|refund_to?=enum:card:wallet:bank=Where the money goes, default is card",
      ["cancel {order_number}", "I don't want {order_number} any more, {reason:found_cheaper~I saw it for less elsewhere}", "call off order {order_number}[, {reason:ordered_twice~I hit the button two times}|]", "please cancel my order no {order_number}[ and refund to my {refund_to}|]"]),
    F("orders", "shipment.track_by_number|whereIsParcel", "Track a parcel by its number.", "tracking_no=word:PARCELS=Number of the parcel|carrier?=enum:DHL:UPS:FedEx:BlueDart:Royal Mail=Carrier|zip?=word:ZIPS=US zip code",
      ["where is {tracking_no}?", "track parcel {tracking_no}[ with {carrier}|]", "{tracking_no} should have come on Monday. What happened to it?", "{carrier} {tracking_no}", "my parcel {tracking_no} not yet received, kindly check"]),
    F("orders", "shipping_quote|shippingCost.estimate", "Estimate what it costs to send a parcel.", "parcel=obj:PARCEL=The parcel|destination=word:COUNTRIES=Where to|speed?=enum:economy:standard:express=Speed, default is standard|insured_value?=int:20:2000=Insured for",
      ["what does it cost to send a parcel of {parcel} to {destination}?", "shipping to {destination}: {parcel}[, {speed}|]", "I've packed a box, {parcel}. Send it to {destination} for how much[, insured for {insured_value}|]?", "{destination}, {parcel}, quote please", "How much would you charge me for a box of {parcel} going to {destination}?"]),
    F("orders", "pickup.schedule|schedulePickup", "Schedule the collection of parcels.", "address=word:ADDRESSES=Where|date=date=Day, YYYY-MM-DD|parcels=int:2:30=How many parcels|heavy?=bool=Whether one is above 20 kg, default is false",
      ["collect {parcels} parcels at {address} on {date}", "pickup {date}, {address}, {parcels} boxes[, {heavy:true~one is very heavy}|]", "I have {parcels} parcels ready. Somebody should fetch them on {date}, {address}", "{address}: {parcels} pieces, {date}"]),
    F("orders", "warranty_check|warranty.status", "Whether something is still under warranty.", "serial_number=code=Serial number|brand=word:BRANDS=Maker|purchase_date?=word:PASTDAYS=When it was bought, YYYY-MM-DD|country?=word:COUNTRYCODES=Country, two letters",
      ["is my {brand} with serial {serial_number} still under warranty?", "warranty {brand} {serial_number}[, bought {purchase_date}|]", "the {brand} broke on me. Serial number {serial_number}[, I got it on {purchase_date}|]. Do they have to fix it?", "{serial_number} ({brand}) warranty status[ {country}|]"]),
    # People and messages.
    F("social", "social_media.schedule_post|schedulePost", "Schedule a post on a network for later.", "network=word:NETWORKS=The network|text=word:POSTS=What is posted|publish_at=word:DATETIMES=When, ISO 8601|hashtags?=words:HASHTAGS=Tags|visibility?=enum:public:friends:private=Who sees it, default is public|allow_comments?=bool=Whether others may answer, default is true",
      ["post \"{text}\" on {network} at {publish_at}", "{network}, {publish_at}: '{text}'[ with {hashtags}|]", "at {publish_at} our {network} page should say \"{text}\"[, {allow_comments:false~no comments}|]", "{publish_at:2026-01-18T14:00:00~On January 18, 2026 at 2 pm} post \"{text}\" to {network}", "{publish_at:2026-04-09T08:15:00~On 9 April 2026 at 8:15 in the morning} post \"{text}\" to {network}", "schedule \"{text}\" for {publish_at} on {network}[, {visibility:friends~only for friends}|]"]),
    F("social", "profile.get_recent_posts|recentPosts", "Recent posts of an account.", "username=word:HANDLES=The account|platform=word:NETWORKS=The network|count?=int:3:50=How many, default is 10|since?=word:RECENTDAYS=From this day on, YYYY-MM-DD|include_reposts?=bool=Reposts too, default is false",
      ["what has {username} posted on {platform}?", "last {count} posts of {username}, {platform}", "I haven't looked at {platform} for a week. What's {username} been up to[ since {since}|]?", "{platform} {username} posts[, {include_reposts:true~reposts too}|]", "Fetch the newest posts by {username} from {platform}"]),
    F("social", "mute_account|accounts.mute", "Mute an account.", "account=word:HANDLES=The account|network=word:NETWORKS=The network|duration_days?=int:2:90=For so many days, default is for good|stories_too?=bool=Stories as well, default is false",
      ["mute {account} on {network}", "I can't stand {account} on {network} at the moment, silence it[ for {duration_days} days|]", "{network}: mute {account}[, {stories_too:true~stories as well}|]", "no more {account} in my {network} feed please"]),
    F("social", "video_comments.list|videoComments", "Comments below a video.", "video_title=word:VIDEOTITLES=Title of the video|order?=enum:newest:top=Order, default is top|max_results?=int:5:100=How many, default is 20|with_replies?=bool=Answers too, default is false",
      ["what do people write under {video_title}?", "comments on {video_title}[, {order:newest~latest first}|]", "{max_results} comments of the video {video_title}", "our video {video_title} went up yesterday. Show what's being said[, {with_replies:true~replies too}|]"]),
    F("social", "hashtag_reach|hashtags.analyze", "How far a hashtag spreads.", "hashtag=word:HASHTAGS=The tag|on_network=word:NETWORKS=The network|period?=enum:day:week:month=Time, default is week",
      ["how far does {hashtag} go on {on_network}?", "{hashtag} {on_network} reach[, last {period}|]", "should we use {hashtag} for our shop on {on_network}? check how many see it", "reach of {hashtag} on {on_network}"]),
    F("messaging", "chat.send_direct|sendDirectMessage", "Send a direct message to somebody.", "to=word:HANDLES=Account of the receiver|message=word:MESSAGES=The text|schedule_for?=time=Send at this time|silent?=bool=Without a sound, default is false",
      ["tell {to}: {message}", "message {to} \"{message}\"", "let {to} know \"{message}\"[, {silent:true~without waking anybody}|]", "dm {to} '{message}'[ at {schedule_for}|]", "could you write to {to} that says: {message}"]),
    F("messaging", "group_chat.create|createGroup", "Create a group for chatting.", "group_name=pick:Hill Walkers:Flat 4B:Cousins:Tuesday Quiz:Bake Sale Team=Name|members=words:FIRSTS=Members|admins_only?=bool=Only admins may write, default is false|icon?=pick:mountain:cake:dog:guitar=Picture",
      ["make a group {group_name} with {members}", "{group_name}: {members}", "I want a chat called {group_name} for {members}[, {admins_only:true~only admins may write}|]", "put {members} into a new group named {group_name}[ with a {icon} icon|]"]),
    F("messaging", "voicemail.transcribe|transcribeVoicemail", "Write down what was said in a voicemail.", "voicemail_id=code=Number of the message|language?=word:TONGUES=Language spoken|summary_only?=bool=Only a summary, default is false",
      ["what does voicemail {voicemail_id} say?", "transcribe {voicemail_id}[, it's in {language}|]", "I'm in a meeting and can't listen to {voicemail_id}, write it down[, {summary_only:true~the gist will do}|]", "voicemail {voicemail_id} as text"]),
    F("messaging", "sms_campaign.send|bulkSms", "Send a text message to many customers.", "segment=enum:new:loyal:inactive:all=Which customers|body=word:MESSAGES=The text|sender_name=word:BRANDS=Sender|opt_out_link?=bool=With a link to sign off, default is true",
      ["text all our {segment} customers \"{body}\" from {sender_name}", "{sender_name} to {segment} customers: '{body}'", "send \"{body}\" to {segment:inactive~those who haven't bought in ages}, sender {sender_name}[, {opt_out_link:false~no link to unsubscribe}|]", "our shop {sender_name} has news for {segment} customers, text them: {body}"]),
    F("email", "mailbox.compose|composeMail", "Write and send a mail to one or more addresses.", "recipients=objs:CONTACT=To whom|subject=word:SUBJECTLINES=Subject|body=word:MESSAGES=Text|importance?=enum:low:normal:high=Importance, default is normal|read_receipt?=bool=Ask for a receipt, default is false",
      ["mail {recipients}, subject {subject}: {body}", "write to {recipients} about \"{subject}\", saying \"{body}\"", "send '{body}' with the subject {subject} to {recipients}[, {importance:high~mark it important}|]", "{subject} - {body} - to {recipients}"]),
    F("email", "inbox.filter_messages|filterInbox", "Filter the messages in the inbox by who sent them, words and days.", "sender=word:EMAILS=Address of the sender|contains?=word:TOPICS=Words in it|after?=word:RECENTDAYS=After this day, YYYY-MM-DD|has_attachment?=bool=Only those with a file, default is false|unread_only?=bool=Only unread ones, default is false",
      ["mails from {sender}", "anything from {sender} about {contains}?", "did {sender} write[ after {after}|]?", "show what {sender} sent me[, {has_attachment:true~the ones with a file}|][, {unread_only:true~that I haven't read}|]", "Where's that mail by {sender}? I can't find it among the hundreds"]),
    F("email", "email_rule.create|createMailRule", "Create a rule that moves mails by itself.", "from_address=word:EMAILS=Sender|folder=word:FOLDERS=Where the mails go|mark_read?=bool=Mark them as read, default is false|apply_to_existing?=bool=Old mails too, default is false",
      ["everything from {from_address} goes to {folder}", "rule: {from_address} -> {folder}[, {mark_read:true~already marked read}|]", "I get too much from {from_address}. Put it into {folder} by itself[, {apply_to_existing:true~also what's there already}|]", "create a rule that files {from_address} under {folder}", "From now on mails by {from_address} should land in my {folder} folder"]),
    F("email", "out_of_office.set|setAutoReply", "Set an automatic answer for days off.", "start=word:EARLYDAYS=First day, YYYY-MM-DD|end=word:LATEDAYS=Last day, YYYY-MM-DD|text=word:MESSAGES=The answer|internal_only?=bool=Only for colleagues, default is false|delegate?=word:FIRSTS=Who helps meanwhile",
      ["auto reply from {start} to {end}: {text}", "I'm off {start} until {end}, answer mails with \"{text}\"[ and name {delegate}|]", "out of office {start} - {end} '{text}'[, {internal_only:true~just for colleagues}|]", "away from {start}, back after {end}; people who write should read \"{text}\""]),
    F("calendar", "calendar.book_slot|bookCalendarSlot", "Puts an appointment into the calendar. Times are in ISO 8601.", "title=word:MEETINGS=Title|start_time=word:DATETIMES=Begin, ISO 8601|duration_minutes?=int:15:240=Length in minutes, default is 60|attendees?=words:FIRSTS=Who comes|room?=pick:Blue Room:Attic:B-204:Garden Hall=Room|recurring?=enum:none:daily:weekly:monthly=Repetition, default is none",
      ["{title} at {start_time}", "put {title} in the calendar, {start_time}[, {duration_minutes} minutes|]", "{title} {start_time:2025-06-03T09:30:00~on June 3, 2025, half past nine in the morning}, into the calendar please", "{title} {start_time:2025-09-30T20:00:00~on 30 September 2025 at 8 pm}, into the calendar please", "block {start_time} for {title}[ with {attendees}|]", "we agreed on a {title}: {start_time}[, {room}|]", "schedule {title} {start_time}, {recurring:weekly~every week}"]),
    F("calendar", "calendar.conflicts|checkConflicts", "Whether somebody has two appointments at once on a day.", "person=word:FIRSTS=Whose calendar|on_date=date=Day, YYYY-MM-DD|from_hour?=time=From this time|ignore_tentative?=bool=Leave out what is not sure, default is true",
      ["does {person} have two things at once on {on_date}?", "conflicts {person} {on_date}[ from {from_hour}|]", "I fear {person} is double booked on {on_date}, can you check[, {ignore_tentative:false~also count maybes}|]?", "{on_date}: any clash for {person}?", "I want to be sure that nothing overlaps for {person} on {on_date}"]),
    F("calendar", "calendar.share_with|shareCalendar", "Share a calendar with somebody.", "calendar_name=pick:Family:Work:Rehearsals:Football:Shifts=The calendar|email=word:EMAILS=With whom|permission?=enum:view:edit:owner=What they may do, default is view|expires?=date=Until this day, YYYY-MM-DD",
      ["share {calendar_name} with {email}", "{email} should see my {calendar_name} calendar[ until {expires}|]", "let {email} into the calendar {calendar_name}, {permission:edit~changing things is fine}", "give {email} {permission} access to {calendar_name}"]),
    F("calendar", "poll_dates|meetingPoll.create", "Create a poll to find a day for a meeting.", "meeting=word:MEETINGS=What for|options=some:Monday:Tuesday:Wednesday:Thursday:Friday:Saturday=Days to choose from|voters=words:EMAILS=Who votes|anonymous?=bool=Without names, default is false|close_on?=date=Last day to vote, YYYY-MM-DD",
      ["poll for the {meeting}: {options}, ask {voters}", "ask {voters} whether {options} suits for the {meeting}", "we can't agree on a day for {meeting}. Let {voters} vote on {options}[, {anonymous:true~without names}|]", "{meeting} poll, {voters}, days {options}[, closes {close_on}|]"]),
    # Homes with devices.
    F("smarthome", "smart_home.set_timer_for|deviceTimer", "Switches a device on or off after some minutes.", "device=word:DEVICES=The device|action=enum:on:off=What happens|after_minutes=int:2:240=In how many minutes|room?=word:ROOMS=Where it is|repeat_daily?=bool=Each day, default is false",
      ["turn the {device} {action} in {after_minutes} minutes", "{device} {action} after {after_minutes} min[, {room}|]", "I'm going out; the {device} can go {action} in {after_minutes} minutes", "set {device} to {action}, {after_minutes} minutes from now[, {repeat_daily:true~every day}|]"]),
    F("smarthome", "blinds.set_position|moveBlinds", "Open or close blinds to a percentage.", "room=word:ROOMS=The room|position=int:0:100=0 is closed and 100 is open|tilt?=int:5:85=Angle of the slats|at_sunset?=bool=Wait for sunset, default is false",
      ["blinds in the {room} to {position} percent", "{room} blinds {position}[, tilt {tilt}|]", "it's too bright in the {room}, set the blinds to {position}", "close the blinds in the {room}, {position:0~all the way down}[, {at_sunset:true~at sunset}|]", "let the sun into the {room}, blinds {position:100~fully open}"]),
    F("smarthome", "light_color.set|setLightColor", "Set colour and brightness of the lights in a room.", "room_name=word:ROOMS=The room|color=enum:warm_white:cool_white:red:blue:green:purple=Colour|brightness?=int:5:100=Percent, default is 100|transition_seconds?=int:1:60=How slowly it changes",
      ["make the {room_name} {color:blue~blue}", "{room_name} lights {color:warm_white~warm white}[, {brightness} percent|]", "I want {color:purple~purple} light in the {room_name}[ over {transition_seconds} seconds|]", "date night: {room_name}, {color:red~deep red}[, brightness {brightness}|]"]),
    F("smarthome", "camera.get_clips|cameraClips", "Recordings of a camera at home.", "camera=pick:front door:driveway:backyard:porch:hall=The camera|date=word:RECENTDAYS=Day, YYYY-MM-DD|motion_type?=enum:person:animal:vehicle:any=What moved, default is any|max_clips?=int:1:30=How many",
      ["what did the {camera} camera see on {date}?", "clips {camera} {date}[, {motion_type:person~only people}|]", "somebody took our parcel on {date}. Show the {camera} recordings", "{camera} camera, {date}[, {motion_type:vehicle~cars going by}|]", "Please pull the footage of {date} from the {camera} camera"]),
    F("smarthome", "alarm_system.arm|armAlarm", "Arm the burglar alarm.", "mode=enum:home:away:night=Mode|pin=int:1000:9999:any=Four digits|delay_seconds?=int:10:120=Delay, default is 30|bypass?=words:ROOMS=Rooms left out",
      ["arm the alarm, {mode}, pin #{pin}", "we're leaving, alarm on {mode:away~nobody's in}, my code is #{pin}", "good night! {mode:night~everyone's asleep}, alarm, pin #{pin}[, but leave out {bypass}|]", "{mode} mode for the alarm with #{pin}[ after {delay_seconds} seconds|]"]),
    F("smarthome", "vacuum.clean_zones|cleanZones", "Let the robot clean some rooms.", "zones=words:ROOMS=Rooms|suction?=enum:quiet:standard:max=Suction, default is standard|mop?=bool=Wet as well, default is false|passes?=int:2:3=How many times over, default is 1",
      ["clean {zones}", "the robot should do {zones}[, {mop:true~mop it too}|]", "crumbs everywhere in {zones}, send the vacuum[ {suction:max~at full power}|]", "vacuum {zones}[, {passes} times over|]"]),
    F("smarthome", "fridge_inventory.add|addToFridge", "Note what is put into the fridge.", "food=word:FOODS=What|best_before=date=Best before, YYYY-MM-DD|shelf?=enum:top:middle:bottom:door=Shelf|opened?=bool=Whether it is open already, default is false",
      ["{food} in the fridge, good until {best_before}", "put down {food}, best before {best_before}[, {shelf} shelf|]", "I've just bought {food}, it keeps till {best_before}", "fridge: {food} {best_before}[, {opened:true~already opened}|]"]),
    F("energy", "meter_reading.submit|submitReading", "Submit the reading of a meter.", "meter=enum:electricity:gas:water=Which meter|reading=int:1000:99000:any=What it shows|read_on?=date=Day, YYYY-MM-DD, default is today|customer_no?=code=Number of the customer",
      ["the {meter} meter shows {reading}", "{meter} reading {reading}[, {read_on}|]", "I went down to the cellar: {meter} stands at {reading}[. Customer number {customer_no}|]", "submit {reading} for {meter}"]),
    # Records, clouds and code.
    F("records", "crud.find_documents|findDocuments", "Find documents of a collection that meet conditions.", "collection=word:TABLES=The collection|filters=objs:CONDITION=Conditions|projection?=words:COLUMNS=Fields wanted, default is all|skip?=int:10:200=Leave out so many|page_size?=int:10:100=At most so many, default is 50",
      ["documents in {collection} where {filters}", "find {collection}: {filters}[, only {projection}|]", "{collection} {filters}[, page size {page_size}|]", "the boss wants all {collection} with {filters}", "get {collection} matching {filters}[, skip {skip}|]"]),
    F("records", "crm.create_lead|newLead", "Create a lead in the customer system.", "name=word:FIRSTS=Name|company=word:COMPANIES=Company|email=word:EMAILS=Mail address|source?=enum:web:fair:referral:phone=Where it came from, default is web|value?=int:500:90000=Expected value|owner?=word:EMPLOYEES=Who looks after it",
      ["new lead: {name}, {company}, {email}", "I met {name} of {company} at the fair, mail is {email}. Add to the CRM", "{name} from {company} wants an offer ({email})[, worth maybe {value}|]", "create lead {name} / {company} / {email}[, owner {owner}|]"]),
    F("records", "table.add_column|alterTableAdd", "Add a column to a table.", "table=word:TABLES=The table|column_name=word:COLUMNS=Name of the column|data_type=enum:text:integer:boolean:date=Type|nullable?=bool=Whether it may be empty, default is true|default_value?=pick:0:none:open:now=Value to begin with",
      ["add the {data_type} column {column_name} to {table}", "{table} needs {column_name}, type {data_type}[, {nullable:false~never empty}|]", "put another field {column_name} into {table}, {data_type:boolean~yes or no}", "alter {table}: +{column_name} {data_type}[ default {default_value}|]"]),
    F("records", "import_csv|tables.importCsv", "Import a CSV file into a table.", "file=pick:contacts.csv:march_sales.csv:stock_2025.csv:members.csv:readings.csv=The file|into_table=word:TABLES=The table|delimiter?=enum:comma:semicolon:tab=What parts the fields, default is comma|has_header?=bool=Whether the first line has names, default is true|on_duplicate?=enum:skip:replace:fail=What happens with doubles",
      ["import {file} into {into_table}", "load {file} to the {into_table} table[, {delimiter:semicolon~semicolons between the fields}|]", "{file} > {into_table}[, {has_header:false~there's no header line}|]", "Finance sent {file}, it belongs in {into_table}[, {on_duplicate:skip~leave out doubles}|]", "The file {file} has to be read into our {into_table} table"]),
    F("cloud", "cloud_storage.upload|uploadObject", "Upload a file to a bucket.", "file_name=pick:report.pdf:logo.svg:dump.sql.gz:model.onnx:site.zip=The file|bucket=word:BUCKETS=The bucket|public?=bool=Whether anybody may read it, default is false|storage_class?=enum:standard:cold:archive=Class, default is standard|expires_days?=int:1:365=Deleted after so many days",
      ["upload {file_name} to {bucket}", "{file_name} -> {bucket}[, {public:true~readable by anyone}|]", "put {file_name} in the bucket {bucket}[, {storage_class:archive~we'll hardly ever need it}|]", "save {file_name} into {bucket}[ and drop it after {expires_days} days|]", "I want {file_name} stored in {bucket}"]),
    F("cloud", "vm.resize|resizeInstance", "Change the size of a virtual machine.", "instance=word:SERVICES=Name of the machine|size=enum:small:medium:large:xlarge=New size|region?=word:REGIONS=Region|restart_now?=bool=Restart at once, default is false",
      ["make the {instance} machine {size}", "resize {instance} to {size}[ in {region}|]", "{instance} is slow as a snail, give it {size:xlarge~the biggest size}[, {restart_now:true~restart right away}|]", "{instance} vm: {size}", "Change the machine called {instance} to size {size}"]),
    F("cloud", "cloud_bill.by_service|cloudSpend", "What was spent in the cloud in a month.", "month=word:MONTHS=Month|year=year:2022:2026=Year|group_by?=enum:service:region:tag=How it is split, default is service|tags?=objs:TAG=Only with these tags",
      ["cloud bill for {month} {year}", "what did the cloud cost us in {month} {year}[ by {group_by}|]?", "{month} {year} spend[, tags {tags}|]", "finance is asking about {month} {year}: what went to the cloud provider?"]),
    F("cloud", "dns_record.set|setDnsRecord", "Set a DNS record.", "domain=pick:northfold.org:kettleco.com:lena.dev:harbour-portal.net:sundara.in=The domain|record_type=enum:A:CNAME:MX:TXT=Type|value=pick:203.0.113.9:mail.northfold.org:edge.kettleco.com:198.51.100.24=Value|ttl?=int:60:7200=Seconds, default is 3600",
      ["set the {record_type} record of {domain} to {value}", "{domain} {record_type} {value}[ ttl {ttl}|]", "point {domain} at {value}, {record_type} record", "dns: {domain}, type {record_type}, value {value}"]),
    F("devops", "ci_pipeline.trigger|triggerBuild", "Start a build of a branch.", "repository=word:REPOS=Repository|branch=word:BRANCHES=Branch|skip_tests?=bool=Without tests, default is false|target?=enum:linux:windows:macos=System, default is linux|variables?=objs:TAG=Variables",
      ["build {branch} of {repository}", "run the pipeline for {repository}, {branch}[, {skip_tests:true~without the tests}|]", "{repository} {branch} build[ on {target}|]", "trigger {branch} in {repository}[ with {variables}|]", "Please kick off a build for the branch {branch}, repo {repository}"]),
    F("devops", "secret.rotate|rotateSecret", "Rotate a secret of a service.", "service=word:SERVICES=The service|secret_name=pick:DB_PASSWORD:API_TOKEN:JWT_KEY:SMTP_PASS=Name|environment=enum:dev:staging:production=Environment|grace_hours?=int:1:72=How long the old one still works, default is 24",
      ["rotate {secret_name} of {service} in {environment}", "{environment}: new {secret_name} for {service}[, grace {grace_hours} hours|]", "someone leaked {secret_name} ({service}, {environment}). Change it", "{service} {environment} {secret_name} rotate, {grace_hours} hours until the old one dies"]),
    F("devops", "incident.declare|openIncident", "Declare an incident.", "service=word:SERVICES=The service|severity=enum:sev1:sev2:sev3=Severity|summary=pick:checkout fails:mails are late:login loops:search is empty:images do not load=What happens|commander?=word:FIRSTS=Who leads|page_oncall?=bool=Wake the one on duty, default is true",
      ["{severity} incident on {service}: {summary}", "{service}, {summary}, call it {severity}[, {commander} takes the lead|]", "declare {severity:sev1~the worst level} for {service}, {summary}", "something's off: {summary}. It's {service}, {severity}[, {page_oncall:false~don't wake anybody}|]"]),
    F("devops", "container.logs_tail|tailLogs", "Last lines of a container's log.", "container=word:SERVICES=The container|lines?=int:10:500=How many, default is 100|grep?=pick:error:timeout:retry:panic:denied=Only lines with this word|namespace?=enum:default:prod:qa=Namespace, default is default",
      ["last {lines} log lines of {container}", "tail {container}[ in {namespace}|]", "{container} misbehaves, show what it logged last", "what is {container} writing[, only lines with {grep}|]?", "logs {container} grep {grep}"]),
    F("devops", "issue_tracker.move|moveIssue", "Move an issue to another column of the board.", "issue_key=pick:SHOP-412:API-77:WEB-1309:OPS-58:DATA-240=Key of the issue|column=enum:backlog:doing:review:done=Column|comment?=pick:ready for review:blocked by design:tested on staging=Comment|assignee?=word:FIRSTS=Who has it now",
      ["move {issue_key} to {column}", "{issue_key} is {column:done~finished}", "put {issue_key} in {column}[ and give it to {assignee}|]", "{issue_key} -> {column}[, comment: {comment}|]", "I've started with {issue_key}, {column:doing~I'm on it}"]),
    # Languages and texts.
    F("language", "translator.translate_phrase|translatePhrase", "Translates a phrase. The target language is named in English.", "phrase=word:PHRASES=The phrase|target_language=word:TONGUES=Language wanted|source_language?=word:TONGUES=Language of the phrase, default is found out|tone?=enum:formal:casual=Tone, default is casual|romanize?=bool=In Latin letters, default is false",
      ["\"{phrase}\" in {target_language}", "how do I say '{phrase}' in {target_language}[, {tone:formal~to an old lady}|]?", "translate \"{phrase}\" to {target_language}[, {romanize:true~in Latin letters}|]", "I'm at a counter and want to say \"{phrase}\", they only speak {target_language}", "{target_language} for '{phrase}' please"]),
    F("language", "word_of_the_day|dailyWord", "A word of the day in a language.", "language=word:TONGUES=Language|level?=enum:A1:A2:B1:B2:C1=Level, default is A2|with_example?=bool=With a sentence, default is true",
      ["teach me something new in {language}, one word", "word of the day, {language}[, level {level}|]", "I'm learning {language}. What's today's word[, {with_example:false~no example needed}|]?", "{language} word {level}"]),
    F("language", "etymology.of_word|wordOrigin", "Where a word comes from.", "word=word:WORDS=The word|language?=word:TONGUES=Language of the word, default is English|depth?=enum:short:full=How much is told, default is short",
      ["where does the word {word} come from?", "origin of {word}", "etymology of '{word}'[, {depth:full~the whole story}|]", "my daughter asked who made up the word {word}. Its history?"]),
    F("language", "conjugate_verb|verbForms", "Forms of a verb in a tense.", "verb=pick:hablar:venir:gehen:manger:essere:ser:tomar=The verb|tense=enum:present:past:future:conditional=Tense|person?=enum:first:second:third=Person, default is all|language?=word:TONGUES=Language",
      ["conjugate {verb} in the {tense}", "{verb}, {tense}[, {person} person|]", "I always mix up {verb}. What's the {tense}?", "{tense} of {verb}[ ({language})|]", "Give me all {tense} forms of the verb {verb}"]),
    F("text", "text.summarize_to|shortenText", "Shortens a text to some words.", "text=word:TEXTS=The text|max_words=int:4:40=At most so many words|style?=enum:neutral:funny:formal=Style, default is neutral|bullet_points?=bool=As a list, default is false",
      ["shorten \"{text}\" to {max_words} words", "\"{text}\" - in {max_words} words please[, {style}|]", "say '{text}' with no more than {max_words} words", "boil down \"{text}\", {max_words} words[, {bullet_points:true~as bullet points}|]"]),
    F("text", "sentiment.analyze|detectSentiment", "Whether a text sounds glad or angry.", "content=word:TEXTS=The text|granularity?=enum:document:sentence=What is judged, default is document|with_emotions?=bool=Which feelings, default is false|lang?=word:TONGUES=Language",
      ["is this positive or negative: \"{content}\"", "sentiment of '{content}'[, {with_emotions:true~and which feelings}|]", "a customer wrote \"{content}\". Happy or not?", "mood of \"{content}\"[, {granularity:sentence~sentence by sentence}|]", "Tell me the feeling behind this review: \"{content}\""]),
    F("text", "grammar.check_text|proofread", "Check the grammar of a text.", "passage=word:TEXTS=The text|dialect?=enum:american:british:indian:australian=Kind of English, default is american|fix?=bool=Put it right at once, default is false",
      ["proofread \"{passage}\"", "any mistakes in '{passage}'[, {dialect} English|]?", "I'm sending \"{passage}\" to my boss. Is the grammar alright[? {fix:true~correct it straight away}|]?", "check: \"{passage}\"", "Can you look over this sentence for errors: \"{passage}\"?"]),
    F("text", "make_qr_code|qr.create", "Make a QR code.", "data=url=What is in it|size_px?=int:100:1000:any=Size in pixels, default is 300|color?=word:COLORS=Colour, default is black|margin?=int:1:10=Margin",
      ["a QR code for {data}", "turn {data} into a QR code[, {size_px} pixels|]", "our menu is at {data} and I want people to scan it[, {color} please|]", "qr {data}[ {color}|]"]),
    F("text", "extract_entities|ner.extract", "Find names of people, places and such in a text.", "document=word:ACCOUNTS=The text|entity_types=some:person:place:date:organisation:product=What to find|min_confidence?=float:0.5:0.95=Least confidence",
      ["find {entity_types} in \"{document}\"", "\"{document}\": which {entity_types} are in there?", "pull {entity_types} out of '{document}'[, confidence at least {min_confidence}|]", "I was given this: \"{document}\". Underline every {entity_types} for me"]),
    # Time.
    F("time", "world_clock.in_zone|timeInZone", "Time at this moment in a time zone.", "timezone=word:ZONES=Time zone, e.g. Europe/Paris|format?=enum:12h:24h=Format, default is 24h|with_date?=bool=With the date, default is false",
      ["time in {timezone}?", "what time is it now for {timezone}[, {format:12h~with am and pm}|]?", "clock {timezone}[, {with_date:true~date as well}|]", "is it too late to ring someone in {timezone}?", "My colleague sits in {timezone}. What does the clock there say?"]),
    F("time", "meeting_overlap|commonHours", "Hours in which people in several zones are all at work.", "zones=words:ZONES=Time zones|date?=date=Day, YYYY-MM-DD, default is today|work_start?=time=When work begins, default is 9:00|minutes?=int:15:120=Length of the meeting",
      ["when are {zones} all in the office?", "common hours for {zones}[ on {date}|]", "our team sits in {zones}. When can we talk[ for {minutes} minutes|]?", "overlap {zones}[, work begins at {work_start}|]"]),
    F("time", "countdown_to|daysUntil", "Days left until a day.", "target_date=date=The day, YYYY-MM-DD|event_name?=word:EVENTNAMES=What happens|business_days?=bool=Only days of work, default is false",
      ["how many days until {target_date}?", "countdown to {target_date}[ for the {event_name}|]", "we marry on {target_date}! How many sleeps?", "days left till {target_date}[, {business_days:true~weekends don't count}|]", "The lease ends on {target_date}. How long have we left, in days?"]),
    # Chance.
    F("random", "random_user.generate|fakeUsers", "Generate made-up people for tests.", "count=int:2:200=How many|nationality?=word:COUNTRYCODES=Country, two letters|gender?=enum:male:female=Gender|fields?=some:name:email:phone:address:birthday=What each has",
      ["{count} fake users", "generate {count} people[ from {nationality}|]", "I need {count} made-up customers to test our form[, each with {fields}|]", "{count} random {gender} users", "{count} {nationality:FR~French} people that do not exist", "{count} {nationality:BR~Brazilian} people that do not exist", "{count} {nationality:IN~Indian} people that do not exist", "Fill the demo with {count} invented people"]),
    F("random", "coin_flip|flipCoins", "Flip coins.", "flips=int:2:50=How often|bias?=float:0.55:0.9=Chance of heads, default is 0.5|show_each?=bool=Each result, default is false",
      ["flip a coin {flips} times", "{flips} coin tosses[, heads with {bias}|]", "my brother and I can't decide, toss {flips} coins[, {show_each:true~show each one}|]", "heads or tails x{flips}"]),
    F("random", "passphrase.from_words|wordyPassword", "Generate a password out of words.", "words=int:3:9=How many words|separator?=enum:dash:dot:space=What stands between, default is dash|capitalize?=bool=Large first letters, default is false|language?=word:TONGUES=Language of the words",
      ["a passphrase of {words} words", "make me a password from {words} words[, {separator:dot~with dots between}|]", "{words} word passphrase[ in {language}|]", "I keep forgetting odd characters. Give me {words} words as a password[, {capitalize:true~capitalised}|]"]),
    F("random", "shuffle_list|shuffleNames", "Put names into a random order.", "names=words:FIRSTS=The names|groups?=int:2:4=Split into so many groups|seed?=int:1:999:any=Seed",
      ["shuffle {names}", "who goes first: {names}?", "random order for {names}[ in {groups} groups|]", "we play charades with {names}. Mix them up[, seed {seed}|]"]),
    F("random", "random_color|colors.random", "Pick random colours.", "amount=int:1:12=How many|format?=enum:hex:rgb:hsl=How they are written, default is hex|hue?=enum:warm:cool:any=Hue, default is any|pastel?=bool=Soft ones, default is false",
      ["{amount} random colours", "pick {amount} colours[ as {format}|]", "surprise me with {amount} {hue} colours for the nursery", "{amount} colours please, [{pastel:true~soft ones}|any will do]"]),
    # Out of doors, events, news.
    F("outdoors", "park.reserve_campsite|bookCampsite", "Reserve a campsite in a national park.", "park=word:PARKS=The park|arrive=date=First night, YYYY-MM-DD|nights=int:2:10=Nights|tents?=int:2:4=Tents, default is 1|rv?=bool=With a camper, default is false|near_water?=bool=By the water, default is false",
      ["camp in {park} from {arrive} for {nights} nights", "reserve a site at {park}, {arrive}, {nights} nights[, {tents} tents|]", "we drive our van to {park} on {arrive} and stay {nights} nights[, {rv:true~it's a camper}|]. Get us a place", "{park} campsite {arrive} x{nights}[, {near_water:true~by the lake}|]", "I'd like to sleep under the stars at {park} for {nights} nights, first night {arrive}"]),
    F("outdoors", "trail_finder.by_peak|hikingTrails", "Trails up a mountain.", "mountain=word:PEAKS=The mountain|max_hours?=int:2:14=At most so many hours|grade?=enum:easy:moderate:hard=How hard|dogs_allowed?=bool=Whether dogs may come, default is false",
      ["trails up {mountain}", "how can I hike {mountain}[ within {max_hours} hours|]?", "{mountain}, {grade:easy~nothing steep}", "Grandpa wants to see {mountain} once more. Which paths are there[, {dogs_allowed:true~his dog comes too}|]?", "Search for marked paths on {mountain}"]),
    F("events", "event_planner.create|planEvent", "Create an event with its guests.", "name=word:EVENTNAMES=Name|date=word:SLASHDATES=Day, MM/DD/YYYY|venue=word:ADDRESSES=Where|guests=objs:PERSON=Guests with their ages|budget?=int:100:9000=Money|theme?=pick:1920s:garden:masquerade:space=Theme",
      ["create {name} on {date} at {venue} for {guests}", "{name}, {date}, {venue}, guests {guests}[, budget {budget}|]", "we celebrate {name} at {venue} on {date}; coming are {guests}", "{venue}, {date:06/14/2026~June 14th, 2026}: {name}. Coming are {guests}", "{venue}, {date:11/02/2025~November 2, 2025}: {name}. Coming are {guests}", "plan {name}: {guests}, {venue}, {date}[, theme {theme}|]"]),
    F("events", "caterer.request_offer|requestCatering", "Ask a caterer for an offer.", "guests=int:10:400=Number of guests|date=date=Day, YYYY-MM-DD|menu=words:DISHES=Dishes|service?=enum:buffet:plated:boxes=How it is served, default is buffet|per_head?=float:6:80=Most a guest may cost",
      ["catering for {guests} on {date} with {menu}", "{date}, {guests} guests, {menu}[, at most {per_head} each|]", "my parents turn fifty years married on {date}. We feed {guests} people with {menu}[, {service:plated~served at the table}|]", "ask for an offer: {menu}, {guests} persons, {date}"]),
    F("news", "news_api.by_source|headlinesFrom", "Headlines on a topic from a country's papers.", "topic=word:TOPICS=The topic|country=word:COUNTRYCODES=Country, two letters|max_articles?=int:3:30=How many, default is 10|published_after?=word:RECENTDAYS=After this day, YYYY-MM-DD|language?=word:TONGUES=Language",
      ["what do papers in {country} write about {topic}?", "{topic} headlines {country}[, {max_articles} at most|]", "I'm abroad and want to read on {topic}, country code {country}[, after {published_after}|]", "{country}: news about {topic}[ in {language}|]", "{topic} in the {country:GB~British} press", "{topic} in the {country:FR~French} press", "{topic} in the {country:IN~Indian} press"]),
    F("news", "podcast.find_episodes|podcastEpisodes", "Find podcast episodes on a topic.", "subject=word:TOPICS=The topic|max_minutes?=int:10:120=At most so long|language?=word:TONGUES=Language, default is English|explicit_ok?=bool=Whether swearing is fine, default is true",
      ["podcasts on {subject}", "an episode about {subject}[ under {max_minutes} minutes|]", "something to hear about {subject} while I iron[, in {language}|]", "{subject} podcast[, {explicit_ok:false~no swearing, kids in the car}|]"]),
    F("insurance", "travel_insurance.quote|quoteTravelInsurance", "Quote an insurance for a journey.", "travellers=objs:PERSON=Travellers with their ages|destination=word:COUNTRIES=Where to|days=int:2:60=For how many days|cover?=enum:basic:plus:full=Cover, default is basic|winter_sports?=bool=With skiing, default is false",
      ["insure {travellers} for {days} days in {destination}", "travel insurance {destination}, {days} days: {travellers}[, {winter_sports:true~we ski}|]", "{travellers} fly to {destination} for {days} days. What does cover cost[, {cover:full~everything included}|]?", "quote: {destination}, {travellers}, {days} days", "We need cover for {days} days in {destination}. Going: {travellers}"]),
    F("travel_plans", "itinerary.build|buildItinerary", "Build a journey of several stops.", "stops=objs:STOP=Where to stay and how long|interests?=some:food:hiking:museums:nightlife:beaches=What one likes|pace?=enum:relaxed:balanced:packed=Pace, default is balanced|daily_budget?=int:30:400=Money a day",
      ["plan a trip: {stops}", "we do {stops}[ and like {interests}|]. Build the itinerary", "{stops}, {pace:relaxed~no rushing}", "my dream trip is {stops}[ on {daily_budget} a day|]. Make a plan"]),
    F("travel_plans", "visa_application.status|visaStatus", "Where an application for a visa stands.", "application_id=code=Number of the application|country=word:COUNTRIES=Country of the visa|birth_year?=year:1940:2015=Year of birth",
      ["where is my visa for {country}? number {application_id}", "visa status {application_id}, {country}", "I applied for a visa to {country} weeks ago, {application_id}[, born {birth_year}|]. Any news?", "{country} visa {application_id} status sir"]),
    F("travel_plans", "packing_list.for_trip|packingList", "Make a list of what to pack.", "place=word:CITYCOUNTRY=Where to|length_days=int:2:30=For how many days|season=enum:spring:summer:autumn:winter=Season|activities?=words:WORKOUTS=What is done there|carry_on_only?=bool=Only hand luggage, default is false",
      ["what should I pack for {length_days} days in {place}, {season}?", "packing list {place}, {season}, {length_days} days[, {carry_on_only:true~hand luggage only}|]", "I'm off to {place} in {season} for {length_days} days[ and plan on {activities}|]. What goes in the bag?", "{season} in {place}: list for {length_days} days"]),
    # Of one value or two, and of many.
    F("lookup", "area_code_info|phoneAreaCode", "Which region a telephone area code belongs to.", "area_code=pick:212:415:080:0171:310:022:404=The area code",
      ["where is area code {area_code}?", "somebody rang me from {area_code}. Which region is that?", "{area_code} - area code of what?", "look up the area code {area_code}"]),
    F("lookup", "country_calling_code|dialCode", "Get the international calling code of a country.", "country=word:COUNTRIES=The country",
      ["calling code of {country}", "what do I dial before the number to reach {country}?", "my penfriend lives in {country}; which country code does the phone need?", "{country} dial code", "kindly tell ISD code of {country}"]),
    F("lookup", "license_plate_origin|plateOrigin", "Where a car with some plate comes from.", "plate_prefix=pick:KA:MH:B:M:WI:TS:HH=First letters of the plate|country?=word:COUNTRYCODES=Country, two letters",
      ["a car with {plate_prefix} on its plate, where is it from?", "plate {plate_prefix}[, {country}|]", "which city has plates that begin with {plate_prefix}?", "I saw {plate_prefix} on the motorway. Where does that belong?"]),
    F("lookup", "airport_code_of|iataLookup", "IATA code of a city's airport.", "city_name=word:CITIES=The city",
      ["airport code of {city_name}", "which three letters stand for {city_name} airport?", "I'm filling in a form and need the IATA code for {city_name}", "{city_name} IATA"]),
    F("zodiac", "horoscope.daily|dailyHoroscope", "Horoscope of a star sign.", "sign=enum:aries:taurus:gemini:cancer:leo:virgo:libra:scorpio:sagittarius:capricorn:aquarius:pisces=Star sign|day?=enum:yesterday:today:tomorrow=Day, default is today|focus?=enum:love:work:health=About what",
      ["horoscope for {sign}", "my sign is {sign}. What do the stars say[ about {focus}|]?", "{sign} {day:tomorrow~for the day after today}", "my mother swears by it: read her the {sign} horoscope[, {focus:love~matters of the heart}|]"]),
    F("zodiac", "chinese_zodiac|zodiacAnimal", "Animal of a year in the Chinese zodiac.", "birth_year=year:1930:2024=Year of birth",
      ["which animal is {birth_year} in the Chinese zodiac?", "I was born in {birth_year}, am I a rabbit or what?", "zodiac animal {birth_year}", "year of the what was {birth_year}?"]),
    F("fun", "joke.tell|randomJoke", "Tell a joke.", "category?=enum:puns:animals:programming:knock_knock=Kind of joke, default is any|clean?=bool=Fit for children, default is true|about=pick:cats:teachers:trains:bakers:chess:Mondays=What it is about",
      ["a joke about {about}", "cheer me up with something on {about}[, {category:puns~a pun}|]", "do you know any jokes about {about}?", "{about} joke[, {clean:false~it may be rude}|]"]),
    F("fun", "name_meaning|givenName.meaning", "What a first name means.", "given_name=word:FIRSTS=The name|origin_culture?=word:TONGUES=Language it is taken from",
      ["what does the name {given_name} mean?", "meaning of {given_name}[ in {origin_culture}|]", "we're calling the baby {given_name} and wonder what it stands for", "{given_name}, meaning"]),
    F("wedding", "gift_registry.create|createGiftRegistry", "Create a list of wished gifts for an occasion. Others may buy from it.", "owner=word:FIRSTS=Whose list|occasion=enum:wedding:baby_shower:housewarming:birthday=Occasion|event_date=word:SLASHDATES=Day, MM/DD/YYYY|wishes=words:GOODS=What is wished for|shop?=word:SHOPS=Shop|max_item_price?=int:20:900=Dearest thing|hide_bought?=bool=Whether bought things are hidden, default is true",
      ["{occasion:wedding~wedding} list for {owner}, {event_date}: {wishes}", "{owner} moves into a new flat, {occasion:housewarming~there'll be a party} on {event_date}. Make a gift list with {wishes}", "create a gift registry: {owner}, {occasion:birthday~birthday}, {event_date}, wants {wishes}[, from {shop}|]", "{wishes} would make {owner} happy at the {occasion:baby_shower~baby shower}. It's on {event_date}, set up the list", "gift list {owner} {occasion:birthday~turning forty} {event_date} with {wishes}[, nothing above {max_item_price}|]"]),
    F("photography", "photo_print.order|orderPrints", "Order prints of photographs.", "album=pick:Goa 2025:Wedding:Garden:First Year:Road Trip=The album|size=enum:10x15:13x18:20x30:A3=Size in cm|copies=int:2:50=Copies of each|finish?=enum:glossy:matte:silk=Finish, default is glossy|ship_to?=word:ADDRESSES=Where to|border?=bool=With a white border, default is false",
      ["print the album {album} in {size}, {copies} copies", "{copies} prints each of {album}, {size}[, {finish}|]", "Grandma wants {album} on paper. {size}, {copies} of each[, {border:true~with a white border}|]", "{album} {size} x{copies}[ to {ship_to}|]"]),
    F("repair", "repair_shop.book|bookRepair", "Book the repair of a device.", "device=pick:washing machine:laptop:bicycle:phone:sewing machine:fridge:watch=The device|fault=pick:does not start:makes noise:leaks:has a cracked screen:loses charge=What is wrong|date=date=Day, YYYY-MM-DD|city?=word:CITIES=City|pickup?=bool=Whether it is fetched, default is false|max_cost?=int:20:400=Most it may cost",
      ["my {device} {fault}, book a repair for {date}", "repair {device}: {fault}, {date}[, {city}|]", "On {date} somebody should look at our {device}. It {fault}[. {pickup:true~Please fetch it}|]", "the {device} {fault}; can it be mended on {date}[ for at most {max_cost}|]?"]),
    F("language", "transliterate|write_in_script", "Write a word in the letters of another script.", "text=word:WORDS=The word|script=enum:cyrillic:greek:devanagari:arabic:hangul=Script",
      ["write {text} in {script} letters", "how would {text} look in {script}?", "{text}, {script:devanagari~the way Hindi is written}", "my tattoo shall say {text}, {script} script please"]),
    F("sport", "coach_of_team|teamCoach", "Who coaches a team.", "team=word:CLUBS=The team|season?=word:SEASONSPANS=Season, default is the current one|assistant?=bool=Assistants too, default is false",
      ["who coaches {team}?", "coach of {team}[ in {season}|]", "the trainer of {team} shouts so much. What's the name[, {assistant:true~and the assistants}|]?", "{team} coach {season}"]),
    F("film", "series_popularity|showPopularity", "How popular a series is in a country.", "show=word:SERIES=The series|region=word:COUNTRIES=Country|week?=int:2:52=Week of the year",
      ["how popular is {show} in {region}?", "does anybody watch {show} in {region}[ in week {week}|]?", "{show} viewers {region}", "we sell advertising: how does {show} do in {region}?"]),
    F("museums", "museum_compare|compareMuseums", "Compare two museums by visitors, size or price of entry.", "first_museum=word:MUSEUMS=One museum|second_museum=word:MUSEUMS=The other|by=enum:visitors:collection_size:ticket=By what|year?=year:2005:2024=Year",
      ["{first_museum} or {second_museum}: which has more visitors, {by:visitors~by people coming in}?", "compare the {first_museum} with the {second_museum}, {by:collection_size~how much each owns}", "is the {second_museum} dearer than the {first_museum}, {by:ticket~going by the entry}[, as of {year}|]?", "{by:visitors~number of guests}: {first_museum} vs {second_museum}[, {year}|]"]),
]
