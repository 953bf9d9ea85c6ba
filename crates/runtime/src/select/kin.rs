//! [`kin`]: words that mean much the same, and words that hint at others.
//!
//! People say `picture` where a tool says `image`, and `umbrella` where it says `weather`. The table
//! is of everyday English and knows no particular tool; a toolbox of another trade simply finds
//! little in it.

/// Words that mean much the same, a group on each line. Any of them finds all of them.
const SAME: &str = "
delete remove erase discard drop clear purge wipe
create add make new insert
update change edit modify alter adjust correct
list show display view see
search find lookup seek locate
send post deliver submit
get fetch retrieve obtain read
cancel abort revoke
start begin launch run activate
stop halt end pause terminate
buy purchase order
book reserve booking reservation
share invite publish
copy duplicate clone
move transfer relocate
rename name title
merge combine join unite
split cut trim crop
approve accept confirm allow
reject decline deny refuse
enable activate on
disable deactivate off
lock secure
mute silence snooze
translate translation
convert conversion
calculate compute calculation
estimate approximate guess
summarize summarise summary recap digest overview
compare comparison versus
schedule plan timetable
remind reminder
notify notification alert alarm warn warning
email mail inbox
message text note dm
chat conversation discussion
comment remark feedback
reply answer respond response
attachment enclosure file
file document doc
folder directory
picture photo image pic snapshot
video clip movie film
song track tune music
album record
artist band singer musician
show series episode season
price cost quote rate fee
cheap discount sale bargain coupon voucher
money cash funds amount
pay payment charge paid
refund reimburse reimbursement
invoice bill
salary wage pay payslip payroll
bank account
card credit debit
stock share equity
portfolio holdings investment
profit gain earnings
loss deficit
customer client buyer
supplier vendor
employee staff worker colleague coworker
boss manager supervisor
company firm business organisation organization corporation
job position role vacancy opening
applicant candidate
holiday vacation leave
ill sick
meeting event appointment calendar
room space
deadline due
task todo chore
ticket issue case
bug defect error fault problem
crash exception failure
repository repo
pull merge request pr
commit change
release version
branch fork
deploy rollout ship release
server machine instance host vm
database db table sql
query question
backup dump
log logs
metric measurement graph chart
outage downtime incident
website site page web
link url address
password credential secret
permission access role right
user account member
person people human
house home property
flat apartment
rent lease
road street route
map location place
directions route navigate way
distance far
bus train transit tram metro subway
station stop
car vehicle auto automobile
taxi cab ride
flight plane airplane airline
trip travel journey tour
hotel accommodation lodging
passport visa
luggage baggage suitcase
restaurant diner cafe
meal food dish dinner lunch breakfast
recipe cooking cook
grocery groceries supermarket
drink wine beverage
doctor physician
hospital clinic
medicine medication drug pill tablet
prescription medicine
symptom pain
weight kilo kg
exercise workout training
walk step
run jog jogging
bike bicycle cycling ride
sleep rest bed
weather forecast
temperature degrees warm cold hot
rain precipitation shower
wind storm
light lamp bulb
heating thermostat heater
door lock
camera webcam
vacuum clean hoover
garden lawn yard
electricity power energy
parcel package shipment delivery
courier carrier
warehouse storage
product item article goods
cart basket
shop store
review rating opinion
course class lesson lecture
homework assignment
grade mark score
student pupil
book novel
news headline article
study paper research
word term vocabulary
language speech
speak say voice
listen hear audio
watch view
team club squad
match game fixture
league championship table
score result
follower subscriber fan
subscribe follow
picture image drawing illustration
idea thought
diary journal
big large
small little
fast quick speed
slow latency
recent latest newest last
old previous earlier past history
current now
top best
code program script source
increase raise grow bump boost
decrease reduce lower shrink
show reveal present
record log note register capture
store save keep
assign delegate allocate
open unlock
close shut lock
finish complete done finalize resolve
answer explain
ask request
check verify inspect examine
investigate analyze analyse
track follow trace
forward pass relay
inform tell notify
play listen
skip next
repeat again rerun retry
undo revert rollback restore
rotate renew refresh
extend renew prolong
suspend block freeze ban
hire recruit employ
fire dismiss
draw paint sketch generate
write compose draft
type transcribe
print output
mistake error typo
faulty broken defective
forecast predict prediction projection
limit cap maximum threshold
budget spending expenditure
spend spending expense
earn income earnings revenue
debt loan mortgage
interest rate
insurance policy
tax duty vat
saving savings deposit
wallet purse account
transaction purchase payment
receipt proof invoice
contract agreement
signature sign
offer quote proposal
campaign marketing advertising ad
audience segment
lead prospect
team group crew
department division unit
office workplace
project initiative
milestone deadline goal
board kanban
epic story
sprint iteration
shift rota schedule
hour time
minute duration
date day
week weekday
birthday anniversary
guest attendee participant visitor
invitation invite
conference call meeting videoconference
voicemail recording message
phone telephone mobile
sms text
number digit
contact person acquaintance
friend buddy contact
neighbour neighbor
family relative
child kid
photo selfie portrait
background backdrop
resolution quality
sound noise volume
speaker loudspeaker
song tune melody
concert gig show
podcast episode
cinema theater theatre movie
film movie
television tv
channel feed
transcript caption subtitle
site sight attraction
beach sea coast ocean
mountain hill elevation
town city village
country nation
zip postcode postal
airport terminal gate
ticket seat
luggage bag
hire rent rental
motorway highway road
jam traffic congestion
gasoline petrol fuel
battery charge
engine motor
bathroom toilet
kitchen oven
window blind curtain shutter
floor ground
bulb light
fridge refrigerator
heat heating
humidity moisture
fever temperature
illness disease sickness
allergy allergic
injury wound
blood lab
pharmacy chemist drugstore
vaccine immunisation immunization jab
dose dosage
calorie nutrition nutrient
diet vegan vegetarian
ingredient component
vegetable fruit
kid child
school university college
teacher professor tutor
exam test quiz
grade result
library catalogue
author writer
definition meaning
synonym thesaurus
grammar spelling
language tongue
article story report
magazine newspaper press
politics election
science research
player athlete
coach trainer
season year
standing ranking table
goal point
stadium arena venue
vote poll survey
question query
equation formula
math maths mathematics arithmetic
currency exchange
unit measure
clock time
zone region area
random chance
code software
function method
container pod
cluster kubernetes
replica copy
cache redis
key secret token
bucket storage
domain dns
certificate ssl tls
network connection
firewall security
vulnerability weakness flaw cve
attack breach intrusion
audit log
flag toggle switch
experiment test
visitor user traffic
conversion funnel
like reaction
emoji smiley
hashtag tag label
thread conversation
pin stick
status state
archive store
trash bin garbage
attachment file
sheet spreadsheet
chart graph plot diagram
slide presentation deck
pdf document
folder directory path
";

/// Words that hint at others, which they do not mean: after the colon stand those that say what is
/// needed.
const HINTS: &str = "
umbrella jacket coat sunny cloudy snow freezing: weather forecast
sunburn sunscreen: uv ultraviolet
smog pollution: air quality
hay allergic allergies sneeze: pollen allergy
surf surfing swim beach tide: sea waves marine
hurricane tornado flood: severe warning weather
dawn dusk: sunrise sunset
free available availability busy: slot calendar
tomorrow today tonight monday tuesday wednesday thursday friday: calendar event
call ring dial: phone call
talk speak: call chat
colleague team everyone: channel member
away office: vacation absence
newsletter spam: unsubscribe mailing
wrote written sent: email message
spreadsheet excel cell row column: sheet spreadsheet
zip unzip tar: archive compress extract
scan scanned: ocr text
website domain: dns
bucket: storage object
container cluster: kubernetes pod
replica: scale deployment
down unreachable offline: availability uptime incident
cpu memory latency: metric
pager paging: call oncall incident
bought ordered: order
arrive arriving arrived: delivery delivered status
sold selling revenue: sale
owe unpaid overdue late: due invoice
stolen lost: freeze block
monthly subscription: recurring
rent mortgage: home
bitcoin ethereum crypto coin: cryptocurrency
share shares nasdaq ticker: instrument stock market
dividend earnings: company fundamental
dollar dollars euro euros pound pounds yen rupees: currency
watched: history
actor director genre netflix: film movie
cinema theatre: showtime
lyrics: song
gig tour: concert
louder quieter loud: volume
airport fly flying: flight
drive driving: directions car
park: parking
charge charging: charging battery
museum sightseeing: attraction sight
hungry eat eating: restaurant food
pizza sushi burger curry: restaurant food dish
vegan vegetarian: diet recipe
calories protein carbs: nutrition
pulse heart: heart rate vitals
fever headache cough: symptom
dentist dermatologist cardiologist: doctor physician appointment
gym yoga pilates: class workout
marathon: training plan run
hire hired hiring: candidate job
quit leaving resign: employee
pto: leave vacation
raise promotion: performance review
prospect: lead deal
complaint complaining complain: ticket support
bright dark dim: light brightness
chilly: temperature thermostat heating
curtain curtains shade shades: blinds window
burglar intruder: alarm security camera
french german spanish italian japanese chinese: language translate
typo typos spelled spelling: grammar spelling
meaning mean means: definition
logo poster: image
selfie: photo
resolution blurry sharper: upscale image
headline happening: news
exam test quiz: quiz grade
kilometers miles pounds inches ounces celsius fahrenheit: unit convert
math sum percent: calculate
landlord tenant: rent lease
leak leaking broken: maintenance defect
receipt reimbursed: expense
tax taxes irs: tax
birthday: contact reminder
missed: voicemail call
zoom conference: video conference meeting
locked login signin logged: account password
hacked breach: security audit
tweet instagram linkedin facebook: social post
likes viral: post
sprint backlog kanban: board issue
vote voting: poll
latency slow: slow performance
wake: alarm
boss manager report: org employee
thirsty drink: wine beverage
tired sleepy: sleep
sick ill unwell: symptom doctor leave
hurt hurts pain ache aching sore: symptom health
tooth teeth: doctor appointment
knee shoulder stomach throat skin eye ear: doctor symptom physician
asthma diabetes migraine: medication prescription symptom
ibuprofen aspirin paracetamol antibiotic insulin: drug medication
cholesterol glucose: lab blood
bread milk cheese butter eggs fruit vegetables: grocery food
pasta rice chicken beef fish soup salad: recipe food dish
coffee tea beer: drink restaurant
bake fry boil roast: recipe cook
dinner supper brunch: meal restaurant
takeaway takeout: food delivery order
football soccer basketball tennis cricket hockey rugby baseball: sports match team league
won lost beat winner: score match result
kilometre km mile miles: distance
jog swim cycle lift squat: workout fitness
slim overweight: weight
song songs singer sing: music track
jazz rock pop classical hiphop: music genre playlist
funny comedy thriller horror drama: film series genre
episode binge: series
channel youtuber: youtube
photo camera: photo image
paint drawing: image
crop blur filter: image edit
rain raining rainy drizzle hail thunder lightning fog: weather forecast
sunny sun sunshine: weather sunrise
dark night: sunset light
heatwave chilly warm cold hot degrees: temperature weather
breeze windy gust: wind weather
ski sail hike hiking camping: weather forecast
ocean boat sailing: sea marine
subway tube tram ferry coach: transit departure
rail railway: train
cab uber lyft: taxi ride
suitcase airline layover: flight
hostel motel inn airbnb: hotel
stay overnight: hotel
border embassy: visa entry customs
sightsee landmark castle cathedral: attraction sight tour
tesla ev plug: charging electric
garage mechanic: car
tyre tire brake: car
lost stolen theft: freeze block card
salary bonus: payslip
broke savings: balance account
coin crypto btc eth: cryptocurrency
nasdaq dow nifty sensex ftse: index market instrument
invest investing investor: portfolio stock market
bucks dollars euros pounds yen francs: currency amount
cent penny: amount
tip percent percentage: calculate
owe owes debt: due invoice
fraud scam: dispute block security
chargeback: dispute
contractor freelancer: invoice
client customers: customer crm
pitch prospect: deal lead
angry unhappy complaint: ticket support
helpdesk: ticket support
paperwork form: document
resume cv applicant: candidate
resign quit notice: employee
maternity paternity: leave parental
absent: absence leave
coworker colleague: employee member
intern newcomer: onboarding employee
payday: payslip
overtime: hours timesheet
minutes agenda: meeting note
brainstorm: whiteboard note
homework essay: assignment
semester term: grade course
learn learning study tutorial: course
memorize memorise revise: flashcard
borrow borrowed lend: loan library
chapter page: book
celebrity famous: encyclopedia article
president minister government: news
war election strike protest: news
scientist scientific: papers
gossip rumour: news
google bing: web search
browser website webpage: web page
slang idiom: dictionary
accent pronounce: speech
aloud loud: speech volume
dictate dictation: transcribe
interview: candidate recording
dim bright brighter: light brightness
curtain: blinds
radiator: heating thermostat
aircon ac fan: climate thermostat temperature
dishwasher washer dryer tv: plug device
dust dusty mess dirty: vacuum
doorbell visitor: camera door
flowers plants grass: garden irrigation
burglar thief: alarm camera
kwh watt: electricity energy
bill bills: invoice payment
tap pipe faucet roof mould: maintenance defect
tenant flatmate: rent lease
bedroom balcony: home rent room
buy house: home property
dhl ups fedex post: parcel carrier shipping
box boxes: parcel
postage stamp: shipping label rate
import abroad overseas: customs duty
gift present: product shop
shoes shirt dress jeans size: product shop return
laptop headphones tv phone: product
refund: return order
rating stars: review
sold out: stock inventory
reorder: stock order
crash crashed crashing: error exception log
bug buggy: issue error
build pipeline ci: workflow run
git branch: repository
typo readme: file repository
pr: pull request
linux ubuntu: instance machine
box vm: instance
slow sluggish lag laggy: performance latency metric slow
spike traffic load: metric
pager: call alert
outage offline down: incident availability status
leak leaked exposed: secret security
exploit hole cve: vulnerability
hacker hacked suspicious: audit security
admin administrator: role permission
onboard offboard: account user
forgot forgotten: password reset
sso mfa otp: sign account
schema column row: table database
json csv: file
postgres mysql sqlite mongo: database sql
screenshot scan: image text
zip folder: archive
slides deck powerpoint: document drive
excel: spreadsheet
signature signed: sign document
wifi router internet: network connection
ping curl: http request
script python: code run
dice die coin flip: random
whatsapp telegram signal: message
zoom teams meet webinar: video conference meeting
tweet twitter instagram facebook linkedin tiktok: social post network
followers influencer: social follower
everyone everybody team folks: channel message
reply answer: reply
spam junk: email filter block
inbox: email
cc bcc: email
nag nudge forget forgot: reminder
busy free available: calendar slot
noon midnight morning afternoon evening o: time
weekend: calendar
postpone reschedule rearrange: update event
birthday wedding party: event calendar
";

/// Two words that together hint at others, as the verbs of English do.
const PHRASES: &str = "
get rid: delete remove
throw away: delete remove
throw out: delete remove
take away: remove revoke
take out: remove delete
take off: remove
clean up: delete remove
cross off: complete done
tick off: complete done
call off: cancel delete
put off: update reschedule
push back: update move
bring forward: update move
set up: create schedule
spin up: create launch start
bring up: start create
start up: start launch
shut down: stop
take down: stop delete
turn on: switch on start
turn off: switch off stop
switch on: switch start
switch off: switch stop
sign up: register subscribe enrol book create
log in: login account password
sign in: login account password
find out: search get
look up: search lookup
look for: search find
look into: details get
fill in: submit form
hand in: submit
hand over: transfer assign
turn in: submit
pick up: pickup buy
drop off: delivery
give back: return refund
send back: return
pay back: refund
money back: refund
note down: log record create note
write down: log record create note
jot down: create note
put down: log record
get back: reply
write back: reply
catch up: summary recent history
run out: stock refill low
running out: stock refill low
run low: stock low refill
roll back: rollback restore
go back: rollback restore
back up: backup
let know: notify send message
wake up: alarm
warm up: temperature thermostat climate
cool down: temperature thermostat climate
add up: calculate sum
work out: calculate workout
figure out: calculate
count down: countdown timer
how much: price cost amount balance
how many: count number
how long: duration time
how far: distance
how big: size
how tall: size
how old: age
what time: time clock
which way: directions route
on time: delay status
on sale: discount price
make sure: check
";

/// How much of a word's weight goes to words that mean much the same.

/// How much of it goes to words that it only hints at.

/// Calls `each` with every two words of which the first leads to the second, and how much.
pub(super) fn kin(mut each: impl FnMut(&'static str, &'static str, f32)) {
    #[allow(non_snake_case)]
    let SAME_WEIGHT = super::index::knob("SW", 0.6);
    #[allow(non_snake_case)]
    let HINT_WEIGHT = super::index::knob("HW", 0.5);
    for group in SAME.lines() {
        for word in group.split_whitespace() {
            for other in group.split_whitespace().filter(|other| *other != word) {
                each(word, other, SAME_WEIGHT);
            }
        }
    }
    for (phrase, hinted) in PHRASES.lines().filter_map(|line| line.split_once(':')) {
        for other in hinted.split_whitespace() {
            each(phrase, other, HINT_WEIGHT);
        }
    }
    for (words, hinted) in HINTS.lines().filter_map(|line| line.split_once(':')) {
        for word in words.split_whitespace() {
            for other in hinted.split_whitespace() {
                each(word, other, HINT_WEIGHT);
            }
        }
    }
}
