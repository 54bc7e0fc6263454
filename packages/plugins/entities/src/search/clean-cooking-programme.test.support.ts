import type { JsonValue } from '@sibyl/protocol'
import type { StoredEntity } from '../records/stored-entity.ts'

/** An entity of the programme, before it is stored. */
export type Member = Pick<StoredEntity, 'type' | 'properties' | 'alsoKnownAs'>

const member = (type: string, properties: Record<string, JsonValue>, alsoKnownAs: readonly string[] = []): Member => ({
  type,
  properties,
  alsoKnownAs,
})

const models = [
  ['Jikokoa Classic', 'charcoal', 'Jiko la mkaa lililoboreshwa, hutumia mkaa kidogo'],
  ['Kuniokoa', 'wood', 'Jiko la kuni lenye moshi mdogo kwa familia kubwa'],
  ['ACE One', 'biomass pellets', 'Gasifier with a fan and a solar panel that charges phones'],
  ['Mimi Moto', 'biomass pellets', 'Pellet gasifier, tier 4 for emissions'],
  ['SuperSaver GL', 'wood', 'Rocket stove with an insulated combustion chamber'],
  ['Foyer Amélioré Nafa', 'charbon de bois', 'Foyer amélioré en argile, réduit la consommation de charbon'],
] as const
const counties = [
  'Kisumu',
  'Kakamega',
  'Siaya',
  'Homa Bay',
  'Machakos',
  'Mwanza',
  'Dodoma',
  'Thiès',
  'Bukavu',
  'Bamako',
]

const stoves = models.flatMap(([model, fuel, description], row) =>
  counties.map((county, column) =>
    member('CookStove', {
      name: `${model} ${county}`,
      model,
      fuel,
      serialNumber: `CS-${row + 1}${String(column + 1).padStart(3, '0')}-KE`,
      location: { county, ward: `Ward ${column + 1}` },
      description,
    }),
  ),
)

const electric = ['Nairobi', 'Kisumu', 'Arusha', 'Kigali', 'Dakar'].flatMap(city => [
  member('CleanCookingDevice', {
    name: `Electric pressure cooker ${city}`,
    powerWatts: 1000,
    maker: 'EcoSmart',
    city,
    description: 'Cooks beans in half the time, metered by the minute',
  }),
  member('CleanCookingDevice', {
    name: `Induction hob ${city}`,
    powerWatts: 1800,
    maker: 'Voltcook',
    city,
    description: 'Two plates, needs flat pans, for schools and canteens',
  }),
])

const meters = Array.from({ length: 15 }, (_, index) =>
  member('GasMeter', {
    name: `Smart meter PG-${String(index + 101)}`,
    description: 'Pay-as-you-go valve for LPG cylinders, payment by mobile money',
    firmware: `3.${index % 4}`,
    cylinder: index % 2 === 0 ? '6 kg' : '13 kg',
  }),
)

const digesters = [
  'Thiès',
  'Kaolack',
  'Saint-Louis',
  'Sikasso',
  'Goma',
  'Bukavu',
  'Huye',
  'Nakuru',
  'Eldoret',
  'Moshi',
].map(place =>
  member('BiogasDigester', {
    nom: `Biodigesteur familial de ${place}`,
    volume: '6 m³',
    lieu: place,
    description: 'Digesteur à dôme fixe alimenté par la bouse de vache ; le biogaz remplace le bois de chauffe',
  }),
)

const monitors = Array.from({ length: 12 }, (_, index) =>
  member('StoveUseMonitor', {
    name: `Temperature logger ${index + 1}`,
    chip: index % 3 === 0 ? 'thermocouple' : 'iButton',
    description: 'Records when a stove is lit and for how long',
    attachedTo: counties[index % counties.length]!,
  }),
)

const people = [
  ['Achieng Odhiambo', 'Sales agent', 'Kisumu', 'Dholuo, Kiswahili'],
  ['Wanjiku Kamau', 'Stove technician', 'Nakuru', 'Kikuyu, English'],
  ['Fatou Diop', 'Animatrice villageoise', 'Thiès', 'Wolof, français'],
  ['Aïssatou Bâ', 'Formatrice', 'Saint-Louis', 'Pulaar, français'],
  ['Juma Mwakyusa', 'Fundi wa majiko', 'Dodoma', 'Kiswahili'],
  ['Neema Mollel', 'Wakala wa mauzo', 'Arusha', 'Kimaasai, Kiswahili'],
  ['Jean-Baptiste Mugisha', 'Technicien biogaz', 'Huye', 'Kinyarwanda, français'],
  ['Moussa Traoré', 'Revendeur de foyers', 'Bamako', 'Bambara, français'],
  ['Grace Akinyi', 'Loan officer', 'Siaya', 'English'],
  ['Peter Mutua', 'Data collector', 'Machakos', 'Kikamba, English'],
].map(([name, role, base, languages]) =>
  member('DistributionAgent', { name: name!, role: role!, base: base!, languages: languages! }),
)

const organisations = [
  member(
    'Organisation',
    {
      name: 'Lake Basin Clean Energy Cooperative',
      country: 'Kenya',
      about: 'Women-led cooperative that sells improved stoves on credit',
    },
    ['LBCEC'],
  ),
  member('Organisation', {
    name: 'Nishati Safi Tanzania',
    country: 'Tanzania',
    about: 'Shirika la nishati safi ya kupikia vijijini',
  }),
  member('Organisation', {
    name: 'Énergie Verte Sahel',
    country: 'Mali',
    about: 'Association pour la cuisson propre et le reboisement',
  }),
  member('Organisation', {
    name: 'Umeme Jikoni Ltd',
    country: 'Kenya',
    about: 'Leases electric cookers and reads their meters',
  }),
  member('Organisation', {
    name: 'Coopérative des potières de Segou',
    country: 'Mali',
    about: 'Fabrique des foyers en argile',
  }),
]

const projects = [
  member('Project', {
    name: 'Smoke-free Schools',
    description: 'Institutional stoves for 300 school kitchens',
    region: 'Western Kenya',
  }),
  member('Project', {
    name: 'Jiko Bora Kijijini',
    description: 'Mradi wa majiko bora kwa kaya za vijijini, Dodoma na Mwanza',
    region: 'Tanzania',
  }),
  member('Project', {
    name: 'Cuisson propre au Sahel',
    description: 'Diffusion de foyers améliorés et de biodigesteurs',
    region: 'Mali, Sénégal',
  }),
  member('Project', {
    name: 'Pellets from bagasse',
    description: 'Turns sugarcane waste into fuel pellets',
    region: 'Kakamega',
  }),
  member('Project', {
    name: 'Refugee Camp Kitchens',
    description: 'Ethanol stoves and fuel vouchers for refugees in Kakuma',
    region: 'Turkana',
  }),
  member('Project', {
    name: 'Bottled gas for informal settlements',
    description: 'PayGo LPG in Kibera and Mathare',
    region: 'Nairobi',
  }),
]

const money = [
  member('Funder', { name: 'Green Hearth Foundation', focus: 'Results-based finance for clean cooking' }),
  member('Funder', { name: 'Fonds Climat Ouest', focus: 'Crédits carbone volontaires' }),
  member('Funder', { name: 'Mfuko wa Nishati Vijijini', focus: 'Ruzuku kwa wajasiriamali wa nishati' }),
  member('Investment', {
    name: 'Working capital loan 2026',
    amount: 250_000,
    currency: 'USD',
    purpose: 'Stock of ACE One stoves before the harvest season',
  }),
  member('Investment', {
    name: 'Prêt atelier Segou',
    amount: 40_000,
    currency: 'EUR',
    purpose: 'Four et argile pour les potières',
  }),
  member('Investment', {
    name: 'Carbon revenue advance',
    amount: 900_000,
    currency: 'USD',
    purpose: 'Prepayment for verified emission reductions',
  }),
]

const protocols = [
  member('Protocol', { deviceSerial: 'string', fuelSavedKg: 'number' }, ['Improved cookstove usage protocol']),
  member('Protocol', { kilowattHours: 'number', meterNumber: 'string' }, ['Metered electric cooking methodology']),
  member('Protocol', { digesterVolume: 'number', cowCount: 'number' }, ['Méthode biogaz domestique']),
]

const families = [
  'Otieno',
  'Wekesa',
  'Nafula',
  'Mushi',
  'Kimaro',
  'Ndiaye',
  'Sow',
  'Keïta',
  'Coulibaly',
  'Uwase',
  'Habimana',
  'Chebet',
  'Kiptoo',
  'Omondi',
  'Adhiambo',
  'Barasa',
  'Massawe',
  'Sarr',
  'Diarra',
  'Mukamana',
]
const households = families.flatMap((family, index) => [
  member('Household', {
    head: `${index % 2 === 0 ? 'Mama' : 'Baba'} ${family}`,
    members: (index % 6) + 2,
    village: `${counties[index % counties.length]} village ${index + 1}`,
    baseline: index % 2 === 0 ? 'three-stone fire' : 'open charcoal brazier',
  }),
  member('Household', {
    head: `${family} compound`,
    members: (index % 9) + 4,
    village: `${counties[(index + 3) % counties.length]} town`,
    baseline: index % 3 === 0 ? 'kerosene wick stove' : 'three-stone fire',
  }),
])

const others = [
  member('Warehouse', {
    name: 'Mombasa port depot',
    holds: 'Imported gas cylinders and spare burners',
    keeper: 'Hassan Ali',
  }),
  member('Warehouse', { name: 'Ghala la Morogoro', holds: 'Majiko ya kuni na vipuri', keeper: 'Rehema Juma' }),
  member('Warehouse', {
    name: 'Entrepôt de Kaolack',
    holds: 'Foyers, grilles et sacs de granulés',
    keeper: 'Ibrahima Fall',
  }),
  member('Kiosk', { name: 'Mama Mboga charcoal briquettes', sells: 'Briquettes from coffee husks', town: 'Kericho' }),
  member('Kiosk', { name: 'Duka la gesi', sells: 'Mitungi ya gesi na vichomeo', town: 'Mwanza' }),
  member('TestLaboratory', {
    name: 'Stove testing laboratory Nairobi',
    method: 'ISO 19867 water boiling test',
    accredited: 'KENAS',
  }),
  member('TestLaboratory', {
    name: 'Laboratoire de combustion de Dakar',
    method: "Essai d'ébullition de l'eau",
    accredited: 'CERER',
  }),
  member('Programme', {
    name: 'National Clean Cooking Programme',
    ministry: 'Ministry of Energy',
    period: '2025 to 2030',
  }),
  member('Programme', {
    name: 'Mpango wa Taifa wa Nishati Safi ya Kupikia',
    ministry: 'Wizara ya Nishati',
    period: '2024 hadi 2034',
  }),
  member('Fleet', {
    name: 'Delivery tricycles Kisumu',
    vehicles: 'Electric three-wheelers that carry gas to the door',
  }),
  member('Market', {
    name: 'Voluntary carbon market fixture',
    sells: 'Cookstove credits with a correlation to 1.5 °C pathways',
  }),
  member('OracleEntity', { name: 'Stove usage verifier', does: 'Evaluates claims of stove use from sensor data' }),
]

/** About 200 entities of a clean-cooking programme, in English, Swahili and French. */
export const programme: readonly Member[] = [
  ...stoves,
  ...electric,
  ...meters,
  ...digesters,
  ...monitors,
  ...people,
  ...organisations,
  ...projects,
  ...money,
  ...protocols,
  ...households,
  ...others,
]

/** What somebody types, and what of the programme answers it. */
export interface LabelledQuery {
  readonly query: string
  readonly type?: string
  readonly relevant: (one: Member) => boolean
}

const text = ({ properties, alsoKnownAs }: Member): string => JSON.stringify([properties, alsoKnownAs])
const reply =
  (...parts: readonly string[]) =>
  (one: Member) =>
    parts.every(part => text(one).includes(part))
const ofType =
  (type: string, ...parts: readonly string[]) =>
  (one: Member) =>
    one.type === type && reply(...parts)(one)

export const labelledQueries: readonly LabelledQuery[] = [
  { query: 'find cook stoves in Kisumu', relevant: ofType('CookStove', '"county":"Kisumu"') },
  { query: 'cookstoves Kakamega', relevant: ofType('CookStove', '"county":"Kakamega"') },
  { query: 'jiko la kuni Dodoma', relevant: ofType('CookStove', 'kuni', '"county":"Dodoma"') },
  { query: 'majiko ya kuni', relevant: one => reply('Majiko ya kuni')(one) },
  { query: 'foyer ameliore Bamako', relevant: ofType('CookStove', 'Foyer Amélioré', '"county":"Bamako"') },
  { query: 'foyers améliorés', relevant: one => reply('Foyer Amélioré')(one) || reply('foyers améliorés')(one) },
  { query: 'ACE One', relevant: ofType('CookStove', 'ACE One') },
  { query: 'ace-one mwanza', relevant: ofType('CookStove', 'ACE One', '"county":"Mwanza"') },
  { query: 'mimi moto homa bay', relevant: ofType('CookStove', 'Mimi Moto', 'Homa Bay') },
  { query: 'serial CS-3004-KE', relevant: reply('CS-3004-KE') },
  { query: 'cs 5010', relevant: reply('CS-5010-KE') },
  { query: 'pellet gasifiers in Siaya', relevant: ofType('CookStove', 'asifier', '"county":"Siaya"') },
  { query: 'electric pressure cookers', relevant: reply('Electric pressure cooker') },
  { query: 'clean cooking device Arusha', relevant: ofType('CleanCookingDevice', 'Arusha') },
  { query: 'induction hob for schools', relevant: reply('Induction hob') },
  { query: 'smart meter PG-107', relevant: reply('PG-107') },
  { query: 'pay as you go gas valves', relevant: one => reply('Pay-as-you-go valve')(one) },
  { query: 'biodigesteur de Kaolack', relevant: ofType('BiogasDigester', 'Kaolack') },
  { query: 'biogaz bouse de vache', relevant: reply('bouse de vache') },
  { query: 'thies biogas', relevant: ofType('BiogasDigester', 'Thiès') },
  { query: 'thermocouple loggers', relevant: reply('thermocouple') },
  { query: 'Aissatou Ba', relevant: reply('Aïssatou Bâ') },
  { query: 'achieng', relevant: reply('Achieng') },
  { query: 'fundi wa majiko', relevant: reply('Fundi wa majiko') },
  { query: 'technicien biogaz à Huye', relevant: reply('Technicien biogaz') },
  { query: 'who sells stoves in Bamako', type: 'DistributionAgent', relevant: reply('Revendeur de foyers') },
  { query: "women's cooperative improved stoves credit", relevant: reply('Women-led cooperative') },
  { query: 'LBCEC', relevant: reply('LBCEC') },
  { query: 'energie verte', relevant: reply('Énergie Verte') },
  { query: 'nishati safi', relevant: reply('ishati') },
  { query: 'school kitchens smoke free', relevant: reply('Smoke-free Schools') },
  { query: 'mradi wa majiko bora', relevant: reply('Jiko Bora Kijijini') },
  { query: 'sugarcane waste pellets', relevant: reply('bagasse') },
  { query: 'refugee camp', relevant: reply('Refugee Camp') },
  { query: 'LPG Kibera', relevant: reply('Kibera') },
  { query: 'carbon credits voluntary market', relevant: one => reply('Voluntary carbon market')(one) },
  { query: 'crédits carbone', relevant: reply('Crédits carbone') },
  { query: 'ruzuku wajasiriamali', relevant: reply('Ruzuku') },
  { query: 'protocol for cookstove usage', relevant: reply('cookstove usage protocol') },
  { query: 'methodology metered electric cooking', relevant: reply('Metered electric cooking') },
  { query: 'kerosene wick', relevant: reply('kerosene wick') },
  { query: 'Mama Otieno household', relevant: reply('Mama Otieno') },
  { query: 'famille Keita', relevant: reply('Keïta') },
  { query: 'argile potieres', relevant: one => reply('potières')(one) },
  { query: 'entrepot granules', relevant: reply('Entrepôt') },
  { query: 'water boiling test laboratory', relevant: reply('water boiling') },
  { query: 'electr tricycl', relevant: reply('tricycles') },
  { query: 'mitungi ya ges', relevant: reply('Mitungi') },
  { query: 'verif', relevant: ofType('OracleEntity') },
  { query: 'wizara nishati mpango', relevant: reply('Mpango wa Taifa') },
]
