//! The same answer in the languages people ask in, with numbers, dates and lengths as each writes them:
//! nothing in an honest one is found, and every wrong value is.

use serde_json::json;
use toolwright_core::{Conversation, review::ReviewTools};

use super::{Tools, held_against, returned};

fn talk() -> Conversation {
    returned(
        "?",
        &[json!({
            "videos": 96, "channels": 24, "watch_seconds": 249_480, "longest": "27:45",
            "last_watched": "2026-10-31", "close": "15:30", "temp_f": 72, "night_share": 0.43,
            "last_price": 24350.75,
        })],
    )
}

/// An honest answer, and each wrong value with what it stands for.
type Language = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const LANGUAGES: &[Language] = &[
    (
        "English",
        "You have watched 96 videos from 24 channels, about 69 hours, 43% at night. The longest ran 27 \
         minutes 45 seconds, the last was on 31 October 2026. It closes at 15:30, at 22 degrees; the \
         price is 24,350.75.",
        &[
            ("96", "97"),
            ("69 hours", "85 hours"),
            ("43%", "61%"),
            ("31 October", "30 October"),
            ("45 seconds", "15 seconds"),
            ("15:30", "16:30"),
            ("22 degrees", "37 degrees"),
            ("24,350.75", "24,530.75"),
            ("October", "November"),
        ],
    ),
    (
        "German",
        "Du hast bisher 96 Videos auf 24 Kanälen gesehen. Die gesamte Wiedergabezeit beträgt etwa 69 \
         Stunden, davon 43 Prozent in der Nacht. Das längste Video dauerte 27 Minuten und 45 Sekunden, \
         das letzte war am 31. Oktober 2026. Handelsschluss ist um 15.30 Uhr bei 22 Grad; der Kurs liegt \
         bei 24.350,75 Punkten, dem Tagestief.",
        &[
            ("96", "97"),
            ("69", "85"),
            ("43 Prozent", "61 Prozent"),
            ("31. Oktober", "30. Oktober"),
            ("45 Sekunden", "15 Sekunden"),
            ("15.30 Uhr", "16.30 Uhr"),
            ("22 Grad", "37 Grad"),
            ("24.350,75", "24.530,75"),
            ("Oktober", "November"),
        ],
    ),
    (
        "French",
        "Vous avez regardé 96 vidéos de 24 chaînes, soit environ 69 heures, dont 43 % la nuit. La plus \
         longue durait 27 minutes et 45 secondes, la dernière date du 31 octobre 2026. La Bourse ferme à \
         15h30, il fait 22 degrés ; le cours est de 24 350,75 points.",
        &[
            ("96", "97"),
            ("69 heures", "85 heures"),
            ("43 %", "61 %"),
            ("31 octobre", "30 octobre"),
            ("45 secondes", "15 secondes"),
            ("15h30", "16h30"),
            ("22 degrés", "37 degrés"),
            ("24 350,75", "24 530,75"),
            ("octobre", "novembre"),
        ],
    ),
    (
        "Spanish",
        "Has visto 96 vídeos de 24 canales, unas 69 horas, el 43 % de noche. El más largo duró 27 minutos \
         y 45 segundos y el último fue el 31 de octubre de 2026. La Bolsa cierra a las 15:30 con 22 \
         grados; el precio es 24.350,75.",
        &[
            ("96", "97"),
            ("69 horas", "85 horas"),
            ("43 %", "61 %"),
            ("31 de", "30 de"),
            ("45 segundos", "15 segundos"),
            ("15:30", "16:30"),
            ("22 grados", "37 grados"),
            ("24.350,75", "24.530,75"),
            ("octubre", "noviembre"),
        ],
    ),
    (
        "Italian",
        "Hai guardato 96 video di 24 canali, circa 69 ore, il 43% di notte. Il più lungo dura 27 minuti e \
         45 secondi, l'ultimo è del 31 ottobre 2026. La Borsa chiude alle 15.30 con 22 gradi; il prezzo \
         è 24.350,75.",
        &[
            ("96", "97"),
            ("69 ore", "85 ore"),
            ("43%", "61%"),
            ("31 ottobre", "30 ottobre"),
            ("45 secondi", "15 secondi"),
            ("15.30", "16.30"),
            ("22 gradi", "37 gradi"),
            ("24.350,75", "24.530,75"),
            ("ottobre", "novembre"),
        ],
    ),
    (
        "Portuguese",
        "Você assistiu a 96 vídeos de 24 canais, cerca de 69 horas, 43% à noite. O mais longo tem 27 \
         minutos e 45 segundos e o último foi em 31 de outubro de 2026. A Bolsa fecha às 15h30 com 22 \
         graus; o preço é 24.350,75.",
        &[
            ("96", "97"),
            ("69 horas", "85 horas"),
            ("43%", "61%"),
            ("31 de", "30 de"),
            ("45 segundos", "15 segundos"),
            ("15h30", "16h30"),
            ("22 graus", "37 graus"),
            ("24.350,75", "24.530,75"),
            ("outubro", "novembro"),
        ],
    ),
    (
        "Dutch",
        "Je hebt 96 video's van 24 kanalen bekeken, ongeveer 69 uur, waarvan 43% 's nachts. De langste \
         duurde 27 minuten en 45 seconden, de laatste was op 31 oktober 2026. De Beurs sluit om 15.30 uur \
         bij 22 graden; de koers is 24.350,75.",
        &[
            ("96", "97"),
            ("69 uur", "85 uur"),
            ("43%", "61%"),
            ("31 oktober", "30 oktober"),
            ("45 seconden", "15 seconden"),
            ("15.30", "16.30"),
            ("22 graden", "37 graden"),
            ("24.350,75", "24.530,75"),
            ("oktober", "november"),
        ],
    ),
    (
        "Swedish",
        "Du har sett 96 videor från 24 kanaler, ungefär 69 timmar, varav 43 procent på natten. Den längsta \
         var 27 minuter och 45 sekunder, den senaste den 31 oktober 2026. Börsen stänger kl. 15.30 vid 22 \
         grader; kursen är 24 350,75.",
        &[
            ("96", "97"),
            ("69 timmar", "85 timmar"),
            ("43 procent", "61 procent"),
            ("31 oktober", "30 oktober"),
            ("45 sekunder", "15 sekunder"),
            ("15.30", "16.30"),
            ("22 grader", "37 grader"),
            ("24 350,75", "24 530,75"),
            ("oktober", "november"),
        ],
    ),
    (
        "Polish",
        "Obejrzałeś 96 filmów z 24 kanałów, około 69 godzin, w tym 43% w nocy. Najdłuższy trwał 27 minut i \
         45 sekund, ostatni był 31 października 2026. Giełda zamyka się o 15:30 przy 22 stopniach; kurs \
         wynosi 24 350,75.",
        &[
            ("96", "97"),
            ("69 godzin", "85 godzin"),
            ("43%", "61%"),
            ("31 paź", "30 paź"),
            ("45 sekund", "15 sekund"),
            ("15:30", "16:30"),
            ("22 stopniach", "37 stopniach"),
            ("24 350,75", "24 530,75"),
            ("października", "listopada"),
        ],
    ),
    (
        "Turkish",
        "24 kanaldan 96 video izlediniz, yaklaşık 69 saat; %43'ü gece. En uzunu 27 dakika 45 saniye sürdü, \
         sonuncusu 31 Ekim 2026'daydı. Borsa 15:30'da 22 derecede kapanıyor; fiyat 24.350,75'te.",
        &[
            ("96", "97"),
            ("69 saat", "85 saat"),
            ("%43'ü", "%61'i"),
            ("31 Ekim", "30 Ekim"),
            ("45 saniye", "15 saniye"),
            ("15:30", "16:30"),
            ("22 derece", "37 derece"),
            ("24.350,75", "24.530,75"),
            ("Ekim", "Kasım"),
        ],
    ),
    (
        "Russian",
        "Вы посмотрели 96 видео с 24 каналов, около 69 часов, из них 43 % ночью. Самое длинное длилось 27 \
         минут и 45 секунд, последнее было 31 октября 2026 г. Биржа закрывается в 15:30 при 22 градусах; \
         курс — 24 350,75.",
        &[
            ("96", "97"),
            ("69 часов", "85 часов"),
            ("43 %", "61 %"),
            ("31 октября", "30 октября"),
            ("45 секунд", "15 секунд"),
            ("15:30", "16:30"),
            ("22 градусах", "37 градусах"),
            ("24 350,75", "24 530,75"),
            ("октября", "ноября"),
        ],
    ),
    (
        "Hindi",
        "आपने 24 चैनलों के 96 वीडियो देखे, लगभग 69 घंटे, जिनमें 43 प्रतिशत रात में। सबसे लंबा 27 मिनट 45 सेकंड का \
         था, आखिरी 31 अक्टूबर 2026 को। बाज़ार 15:30 पर 22 डिग्री में बंद होता है; भाव 24,350.75 है।",
        &[
            ("96", "97"),
            ("69 घंटे", "85 घंटे"),
            ("43 प्रतिशत", "61 प्रतिशत"),
            ("31 अक्टूबर", "30 अक्टूबर"),
            ("45 सेकंड", "15 सेकंड"),
            ("15:30", "16:30"),
            ("22 डिग्री", "37 डिग्री"),
            ("24,350.75", "24,530.75"),
            ("अक्टूबर", "नवंबर"),
        ],
    ),
    (
        "Hindi, in its own digits",
        "आपने २४ चैनलों के ९६ वीडियो देखे, लगभग ६९ घंटे।",
        &[("९६", "९७"), ("६९ घंटे", "८५ घंटे"), ("२४", "२५")],
    ),
    (
        "Japanese",
        "これまでに24チャンネルの動画を96本、約69時間見ました。43パーセントは夜です。最長は27分45秒、最後は2026年10月31日です。\
         取引は15時30分に22度で終わり、価格は24,350.75です。",
        &[
            ("96", "97"),
            ("69時間", "85時間"),
            ("43パ", "61パ"),
            ("31日", "30日"),
            ("45秒", "15秒"),
            ("15時30分", "16時30分"),
            ("22度", "37度"),
            ("24,350.75", "24,530.75"),
            ("10月", "11月"),
        ],
    ),
    (
        "Chinese",
        "您看过24个频道的96个视频，约69小时，其中43%在夜里。最长的是27分钟45秒，最后一次是2026年10月31日。\
         交易在15点30分以22度结束，价格为24,350.75。",
        &[
            ("96", "97"),
            ("69小时", "85小时"),
            ("43%", "61%"),
            ("31日", "30日"),
            ("45秒", "15秒"),
            ("15点30分", "16点30分"),
            ("22度", "37度"),
            ("24,350.75", "24,530.75"),
            ("10月", "11月"),
        ],
    ),
];

#[test]
fn honest_answers_pass_and_wrong_values_are_found_in_every_language() {
    let none = Tools(Vec::new());
    let talk = talk();
    let found = |answer: &str| -> Vec<String> {
        let review = held_against(answer, &talk, ReviewTools::Required(&none));
        review.findings.into_iter().map(|it| it.text).collect()
    };
    let mut wrong = Vec::new();
    for (language, honest, changes) in LANGUAGES {
        let alarms = found(honest);
        if !alarms.is_empty() {
            wrong.push(format!("{language}: alarms {alarms:?}"));
        }
        for (value, other) in *changes {
            assert!(honest.contains(value), "{language}: {value}");
            let found = found(&honest.replacen(value, other, 1));
            if found.len() != 1 {
                wrong.push(format!("{language}: {value} -> {other}: {found:?}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "\n{}", wrong.join("\n"));
}
