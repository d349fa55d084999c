import { describe, expect, it } from 'vitest'
import { findPlaces } from './gazetteer.ts'
import { readGazetteerFile, textAt } from './gazetteer-file.ts'
import { placeKey } from './place-keys.ts'

/** What people type for each city. The keys are the names that the app shows, with the country. */
const typed: Record<string, string> = {
  // Spelled without letters that a keyboard lacks
  'Wrocław, Poland': 'Wroclaw|wrocław|Breslau|Вроцлав|Vratislav',
  'Łódź, Poland': 'Lodz|ŁÓDŹ|Łódz|Лодзь',
  'Gdańsk, Poland': 'Gdansk|Danzig|Гданьск',
  'Kraków, Poland': 'Krakow|Cracow|Krakau|Cracovia|Краков|קרקוב',
  'Warsaw, Poland': 'Warszawa|Warschau|Varsovie|Varsovia|Варшава|ורשה',
  'Tromsø, Norway': 'Tromso|Tromsoe|TROMSØ',
  'Ålesund, Norway': 'Alesund|Aalesund',
  'Copenhagen, Denmark': 'København|Kobenhavn|Koebenhavn|Kopenhagen|Copenhague|哥本哈根',
  'Århus, Denmark': 'Aarhus|Arhus|Århus',
  'Malmö, Sweden': 'Malmo|Malmoe',
  'Göteborg, Sweden': 'Goteborg|Goeteborg|Gothenburg|Gotemburgo',
  'Köln, Germany': 'Koeln|Koln|KÖLN|Cologne|Colonia|Кёльн|Кельн|科隆',
  'Munich, Germany': 'München|Muenchen|Munchen|Múnich|Monaco di Baviera|Мюнхен|ميونخ|ミュンヘン',
  'Nürnberg, Germany': 'Nuremberg|Nuernberg|Nurnberg',
  'Düsseldorf, Germany': 'Duesseldorf|Dusseldorf',
  'Göttingen, Germany': 'Goettingen|Gottingen',
  'Gießen, Germany': 'Giessen|GIESSEN|Gießen',
  'Zürich, Switzerland': 'Zuerich|Zurich|Zurigo|苏黎世',
  'Genève, Switzerland': 'Genf|Geneva|Geneve|Ginevra|Ginebra',
  'Vienna, Austria': 'Wien|Vienne|Viena|Bécs|Вена|فيينا|ウィーン',
  'Reykjavík, Iceland': 'Reykjavik|REYKJAVÍK',
  'Hafnarfjörður, Iceland': 'Hafnarfjordur|hafnarfjörður',
  'São Paulo, Brazil': 'Sao Paulo|SAO PAULO|São Paulo, Brasil|圣保罗',
  'Brasília, Brazil': 'Brasilia',
  'Rio de Janeiro, Brazil': 'Rio|rio de janeiro|Río de Janeiro|Рио-де-Жанейро',
  'İzmir, Türkiye': 'Izmir|IZMIR|İzmir|Smyrna',
  'Istanbul, Türkiye': 'İstanbul|ISTANBUL|istanbul|Estambul|Стамбул|إسطنبول|Κωνσταντινούπολη|イスタンブール',
  'Diyarbakır, Türkiye': 'Diyarbakir|DİYARBAKIR',
  // Punctuation, spaces and abbreviations
  'St. John’s, Canada': "Saint Johns|St. John's|St Johns|st johns newfoundland",
  'Saint Petersburg, Russia':
    'St. Petersburg|St Petersburg|Sankt Peterburg|Санкт-Петербург|Санкт Петербург|Питер|СПб|San Petersburgo',
  'Washington, United States': 'Washington DC|Washington, D.C.|Washington D.C.|Washington, DC',
  'Stratford-upon-Avon, United Kingdom': 'stratford upon avon|Stratford on Avon',
  '’s-Hertogenbosch, Netherlands': "s Hertogenbosch|'s-Hertogenbosch|Den Bosch",
  'The Hague, Netherlands': "Den Haag|The Hague|La Haye|La Haya|'s-Gravenhage",
  'Aix-en-Provence, France': 'Aix en Provence',
  'Los Angeles, United States': 'LA|L.A.|Los Ángeles|洛杉矶|لوس أنجلوس',
  'New York City, United States': 'NYC|New York|Nueva York|NY, NY|Нью-Йорк|نيويورك|纽约|ニューヨーク',
  // With a state or country
  'Paris, France': 'Paris|Paris, France|Paris France|Paris, Frankreich|Париж, Франция|パリ|باريس|பாரிஸ்',
  'Paris, United States': 'Paris, TX|Paris Texas|Paris, Texas, USA',
  'Springfield, United States': 'Springfield Illinois|Springfield, IL|Springfield, Massachusetts',
  'London, Canada': 'London Ontario|London, ON|London, Canada',
  'London, United Kingdom': 'London UK|Londres|Londra|London, England|Лондон|لندن|伦敦|런던|लंदन',
  'San José, Costa Rica': 'San Jose Costa Rica|San José, CR',
  'Córdoba, Argentina': 'Cordoba Argentina|Córdoba, Argentinien',
  // Names in other languages
  'Florence, Italy': 'Firenze|Florenz|Florencia|Флоренция|フィレンツェ',
  'Milan, Italy': 'Milano|Mailand|Milán',
  'Venice, Italy': 'Venezia|Venedig|Venecia',
  'Rome, Italy': 'Roma|Rom|Рим|روما|ローマ|Ρώμη',
  'Naples, Italy': 'Napoli|Neapel|Nápoles',
  'Turin, Italy': 'Torino',
  'Lisbon, Portugal': 'Lisboa|Lissabon|Lisbonne|Лиссабон',
  'Porto, Portugal': 'Oporto',
  'Sevilla, Spain': 'Seville|Sevilla',
  'Brussels, Belgium': 'Bruxelles|Brussel|Brüssel|Bruselas',
  'Antwerpen, Belgium': 'Antwerp|Anvers|Amberes',
  'Prague, Czechia': 'Praha|Prag|Praga|Прага',
  'Budapest, Hungary': 'Будапешт|בודפשט',
  'Bucharest, Romania': 'București|Bucuresti|Bukarest',
  'Chisinau, Moldova': 'Chisinau|Chişinău|Chișinău|Кишинёв',
  'Belgrade, Serbia': 'Beograd|Београд|Belgrad',
  'Zagreb, Croatia': 'Загреб',
  'Sofia, Bulgaria': 'София|Sofía|Sofija',
  'Athens, Greece': 'Αθήνα|Athina|ΑΘΗΝΑ|Atenas|Athen',
  'Thessaloníki, Greece': 'Thessaloniki|Θεσσαλονίκη|Saloniki|Salonica',
  'Kyiv, Ukraine': 'Kiev|Kyiv|Київ|Киев|Kijów',
  'Lviv, Ukraine': 'Lwow|Lwów|Lemberg|Львів|Lvov',
  'Odesa, Ukraine': 'Odessa|Одеса',
  'Minsk, Belarus': 'Мінск|Минск',
  'Moscow, Russia': 'Moskva|Москва|Moskau|Moscú|موسكو|莫斯科|모스크바|МОСКВА',
  'Vladivostok, Russia': 'Владивосток',
  // Other scripts
  'Cairo, Egypt': 'القاهرة|القاهره|Kairo|El Cairo|Le Caire|Каир',
  'Alexandria, Egypt': 'الإسكندرية|الاسكندرية|Alejandría',
  'Beirut, Lebanon': 'بيروت|Beyrouth|Beyrut',
  'Damascus, Syria': 'دمشق|Damas|Damasco',
  'Baghdad, Iraq': 'بغداد|Bagdad',
  'Riyadh, Saudi Arabia': 'الرياض|Riad',
  'Dubai, United Arab Emirates': 'دبي|دبى|Dubái|Dubai UAE',
  'Tehran, Iran': 'تهران|طهران|Teheran',
  'Isfahan, Iran': 'اصفهان|Esfahan',
  'Jerusalem, Israel': 'ירושלים|Jerusalén|Yerushalayim',
  'Tel Aviv, Israel': 'תל אביב|תל־אביב|Tel-Aviv|TLV',
  'Tbilisi, Georgia': 'თბილისი|Тбилиси|Tiflis',
  'Yerevan, Armenia': 'Երևան|Ереван|Erevan',
  'Baku, Azerbaijan': 'Bakı|Баку',
  'Almaty, Kazakhstan': 'Алматы|Alma-Ata',
  'Mumbai, India': 'Bombay|ಮು೦ಬೈ|मुंबई|मुम्बई|મુંબઈ',
  'Bengaluru, India': 'Bangalore|ಬೆಂಗಳೂರು|BENGALURU',
  'Chennai, India': 'சென்னை|Madras',
  'Kolkata, India': 'Calcutta|কলকাতা',
  'Delhi, India': 'दिल्ली|தில்லி|Dehli|دہلی',
  'Hyderābād, India': 'హైదరాబాద్|हैदराबाद',
  'Varanasi, India': 'वाराणसी|Benares|Banaras',
  'Dhaka, Bangladesh': 'ঢাকা|Dacca',
  'Karachi, Pakistan': 'کراچی|Karatschi',
  'Lahore, Pakistan': 'لاہور',
  'Kathmandu, Nepal': 'काठमाडौं|काठमांडू|Katmandu',
  'Colombo, Sri Lanka': 'කොළඹ|கொழும்பு',
  'Bangkok, Thailand': 'กรุงเทพ|กรุงเทพมหานคร|Krung Thep|曼谷',
  'Chiang Mai, Thailand': 'เชียงใหม่|Chiangmai',
  'Yangon, Myanmar (Burma)': 'Rangoon|ရန်ကုန်',
  'Phnom Penh, Cambodia': 'ភ្នំពេញ',
  'Ho Chi Minh City, Vietnam': 'Hồ Chí Minh|Saigon|Sài Gòn|TP Hồ Chí Minh|Ho Chi Minh',
  'Hanoi, Vietnam': 'Hà Nội|Ha Noi|河内',
  'Tokyo, Japan': '東京|東京都|Tokio|Tōkyō|도쿄|东京',
  'Osaka, Japan': '大阪|大阪市|Ōsaka|오사카',
  'Kyoto, Japan': '京都|京都市|Kioto',
  'Beijing, China': '北京|北京市|Peking|Pekín|Pékin|Пекин|بكين|베이징',
  'Shanghai, China': '上海|上海市|Schanghai',
  'Guangzhou, China': '广州|廣州|Canton',
  'Hong Kong, Hong Kong SAR China': '香港|Hongkong',
  'Taipei, Taiwan': '台北|臺北|Taipeh',
  'Seoul, South Korea': '서울|서울시|서울특별시|Seul|首尔|ソウル',
  'Busan, South Korea': '부산|부산시|부산광역시|Pusan',
  'Ulan Bator, Mongolia': 'Улаанбаатар|Ulaanbaatar',
  'Addis Ababa, Ethiopia': 'አዲስ አበባ|Addis Abeba',
  'Johannesburg, South Africa': "Joburg|Jo'burg",
  'Cape Town, South Africa': 'Kaapstad|Kapstadt|Ciudad del Cabo',
  'Mexico City, Mexico': 'Meksyk|Ciudad de México|Ciudad de Mexico|CDMX|Mexico DF|Mexiko-Stadt',
  'Havana, Cuba': 'La Habana|Habana|Havanna',
}
const spellings = Object.entries(typed).flatMap(([city, forms]) => forms.split('|').map((form) => ({ form, city })))

/** Position among the first five results, counted from 1; 0 if it isn't among them. */
function rankOf(form: string, city: string): number {
  const [name = '', country] = city.split(/, (?=[^,]*$)/)
  const plain = (text: string) => text.replace(/[’']/g, "'")
  const isIt = (place: { name: string; country: string }) =>
    plain(place.name).startsWith(plain(name)) && place.country === country
  return findPlaces(form, 5).findIndex(isIt) + 1
}

describe('the search for cities', () => {
  it('The city search finds every common spelling among the first five results.', () => {
    const missed = spellings.filter(({ form, city }) => rankOf(form, city) === 0)
    expect(spellings.length).toBeGreaterThan(300)
    expect(missed.map(({ form, city }) => `${form}: ${city}`)).toEqual([])
  })
})

it('The city search ignores repeated regions and uses the first two distinct ones.', () => {
  const [paris] = findPlaces('Paris, USA, USA, USA, USA, Texas', 5)
  expect(paris).toMatchObject({ name: 'Paris', region: 'Texas' })
})

describe('the places file', { tags: ['long'] }, () => {
  const { ids, names, otherNames, keys, placesOfKeys } = readGazetteerFile()
  const others = (place: number) => textAt(otherNames, place).split('\n')

  it('The places file contains every name as it is folded now; if this fails, run `npm run places`.', () => {
    const kept = new Set(Array.from(placesOfKeys, (place, at) => `${place >> 1} ${textAt(keys, at)}`))
    const isStale = (place: number, key: string) => key !== '' && !kept.has(`${place} ${key}`)
    const stale = Array.from(ids, (_, place) => [textAt(names, place), ...others(place)]).flatMap((all, place) =>
      all.filter((name) => isStale(place, placeKey(name))),
    )
    expect(stale).toEqual([])
  })

  it('The places file contains no markup, pronunciations or repetitions.', () => {
    const all = Array.from(ids, (_, place) => others(place)).flat()
    expect(all.length).toBeGreaterThan(300_000)
    expect(all.filter((name) => /[<>[\]ˈ=;|]|^(.+) \(\1\)$/.test(name))).toEqual([])
  })
})
