import type { NewFact } from '../facts/fact.ts'

/** A question and the fact that answers it. */
export interface LabelledQuestion {
  readonly text: string
  /** The place of its answer in `facts`. */
  readonly answer: number
  readonly wording: Wording
}

/**
 * How a question is worded beside its fact: the same words in another order, in other forms (plurals, tenses, nouns of
 * verbs), with the last word only begun, with some words of its own, or with nothing in common but the name.
 */
export type Wording = 'order' | 'inflected' | 'begun' | 'partly' | 'other words'

/** Facts of one person, in the order in which they were told, and questions about some of them. */
export interface LabelledFacts {
  readonly facts: readonly (NewFact & { readonly daysAgo: number })[]
  readonly questions: readonly LabelledQuestion[]
  /** What people say that no fact has to do with. */
  readonly smallTalk: readonly string[]
}

/** A subject that many facts are about, and how they are asked for. */
interface Subject {
  readonly fact: (name: string, value: string) => string
  readonly values: readonly string[]
  readonly questions: readonly (readonly [Wording, (name: string, value: string) => string])[]
  readonly tags?: readonly string[]
}

const first =
  `Achieng Amara Anneli Baraka Bettina Björn Carlos Chipo Dalila Desta Elif Emeka Fatou Farida Giulia Goran Halima Henk
Ines Ivo Jamila Jonas Kofi Katarzyna Lindiwe Luka Mwajuma Mateo Nadia Nils Odhiambo Ottilie Pendo Priya Quentin Rahel Ruben
Sanaa Sören Tariq Thandi Ulla Umar Vera Wanjiru Wim Xola Yasmin Yusuf Zawadi`.split(/\s+/)
const last = ['Abara', 'Bergström', 'Costa', 'Diallo', 'Eriksen', 'Farah', 'García', 'Hoffmann']

const subjects: readonly Subject[] = [
  {
    fact: (name, value) => `${name} is allergic to ${value}.`,
    values: ['peanuts', 'shellfish', 'penicillin', 'cat hair', 'walnuts', 'latex', 'bee stings', 'gluten'],
    questions: [
      ['order', name => `What is ${name} allergic to?`],
      ['inflected', name => `Which allergies does ${name} have?`],
      ['partly', name => `${name} comes for dinner, any allergy to watch for?`],
      ['other words', name => `What must ${name} stay away from?`],
    ],
    tags: ['health'],
  },
  {
    fact: (name, value) => `${name} works as a ${value} since last year.`,
    values: ['carpenter', 'radiologist', 'bus driver', 'beekeeper', 'court clerk', 'tailor', 'geologist', 'baker'],
    questions: [
      ['order', name => `What does ${name} work as?`],
      ['inflected', name => `What kind of worker is ${name}?`],
      ['partly', name => `Tell me where ${name} is working and in which trade`],
      ['begun', (name, value) => `${name} ${value.slice(0, 5)}`],
      ['other words', name => `What is the profession of ${name}?`],
    ],
  },
  {
    fact: (name, value) => `The birthday of ${name} is on ${value}.`,
    values: ['3 March', '17 June', '29 August', '11 November', '8 January', '24 April', '2 October', '15 July'],
    questions: [
      ['order', name => `When is ${name}'s birthday?`],
      ['inflected', name => `birthdays: ${name}`],
      ['partly', name => `When shall we celebrate ${name}'s birthday this year?`],
    ],
    tags: ['dates'],
  },
  {
    fact: (name, value) => `${name} lives in ${value}, near the old market.`,
    values: ['Kisumu', 'Trondheim', 'Valparaíso', 'Bukavu', 'Graz', 'Mwanza', 'Thiès', 'Leuven'],
    questions: [
      ['order', name => `Where does ${name} live?`],
      ['inflected', name => `In which town is ${name} living?`],
      ['partly', name => `I travel to see ${name}: near which market do they live`],
    ],
  },
  {
    fact: (name, value) => `${name} prefers ${value} to coffee in the morning.`,
    values: ['rooibos', 'hot chocolate', 'green tea', 'ginger tea', 'buttermilk', 'orange juice', 'water', 'hibiscus'],
    questions: [
      ['order', name => `In the morning, what does ${name} prefer to coffee?`],
      ['inflected', name => `Which morning drink is preferred by ${name}`],
      ['partly', name => `What can I offer ${name} instead of coffee?`],
    ],
  },
  {
    fact: (name, value) => `I lent ${name} my ${value}.`,
    values: ['drill', 'tent', 'bicycle pump', 'dictionary', 'sewing machine', 'ladder', 'camera', 'wheelbarrow'],
    questions: [
      ['order', (name, value) => `Did I lend ${name} my ${value}, or who was it that I lent it?`],
      ['partly', (name, value) => `Is the ${value} still at ${name}'s place?`],
      ['other words', name => `What of mine has ${name} borrowed?`],
    ],
  },
  {
    fact: (name, value) => `${name} trained for the marathon with ${value} until the knee hurt.`,
    values: ['Coach Silva', 'the Tuesday group', 'an app', 'a cousin', 'the fire brigade', 'a dog', 'two nurses'],
    questions: [
      ['order', name => `With whom has ${name} trained for the marathon?`],
      ['inflected', name => `How is the marathon training of ${name} going?`],
      ['partly', name => `Why did ${name} stop running the marathon?`],
    ],
  },
  {
    fact: (name, value) => `${name} is vegetarian but eats ${value}.`,
    values: ['fish', 'eggs', 'honey', 'oysters', 'cheese', 'gelatine'],
    questions: [
      ['order', name => `Is ${name} a vegetarian, and what is eaten?`],
      ['inflected', name => `Are vegetarians among us, such as ${name}?`],
    ],
    tags: ['food'],
  },
  {
    fact: (name, value) => `${name} married ${value} in a small chapel.`,
    values: ['Sam', 'Noor', 'Alex', 'Robin', 'Kim', 'Jo'],
    questions: [
      ['order', name => `Whom has ${name} married?`],
      ['inflected', name => `How was the marriage of ${name}?`],
      ['partly', name => `In what kind of chapel was it when ${name} got married?`],
    ],
  },
  {
    fact: (name, value) => `${name} plays the ${value} in the village orchestra.`,
    values: ['cello', 'oboe', 'kora', 'trombone', 'violin', 'nyatiti', 'clarinet', 'bassoon'],
    questions: [
      ['order', name => `Which instrument does ${name} play in the orchestra?`],
      ['inflected', name => `${name} was playing in orchestras, but what?`],
      ['begun', (name, value) => `${name} ${value.slice(0, 4)}`],
    ],
  },
  {
    fact: (name, value) => `${name}'s phone broke, so write to ${value} instead.`,
    values: ['her sister', 'the office', 'his e-mail', 'the neighbour', 'the landlord'],
    questions: [
      ['order', name => `To whom do I write instead when ${name}'s phone broke?`],
      ['partly', name => `How can I reach ${name} without a phone?`],
    ],
  },
  {
    fact: (name, value) => `${name} studied ${value} at evening school.`,
    values: ['bookkeeping', 'Portuguese', 'welding', 'agronomy', 'sign language', 'statistics'],
    questions: [
      ['order', name => `At evening school, what was studied by ${name}?`],
      ['inflected', name => `What were the studies of ${name} in the evenings?`],
    ],
  },
  {
    fact: (name, value) => `${name} foi operado ao ${value} no ano passado.`,
    values: ['joelho', 'ombro', 'coração', 'pulmão'],
    questions: [['order', (name, value) => `operado ao ${value}: ${name}`]],
  },
  {
    fact: (name, value) => `${name} anapenda ${value} wikendi.`,
    values: ['kuogelea', 'kucheza bao', 'kusoma', 'kupika samaki', 'kutembea msituni'],
    questions: [
      ['order', name => `wikendi ${name} anapenda nini`],
      ['partly', name => `nataka kumpa ${name} zawadi, anapenda nini`],
    ],
  },
]

const projects =
  `Acacia Basalt Cobalt Delta Ebony Flint Garnet Harbour Indigo Juniper Kestrel Lagoon Magnet Nimbus Onyx Pollen Quartz
Raven Saffron Tundra Umber Velvet Willow Xenon Yarrow Zephyr`.split(/\s+/)
const remarks: readonly ((name: string, number: number) => string)[] = [
  (name, number) => `Project ${name}: invoice ${number} is still to be paid.`,
  (name, number) => `Project ${name} meets every second Thursday in room ${number}.`,
  (name, number) => `The budget of project ${name} was cut to ${number} thousand.`,
  (name, number) => `I dislike the logo of project ${name}, version ${number}.`,
  (name, number) => `Project ${name} ships batch ${number} by rail.`,
]

const smallTalk = [
  'Thanks, that is great!',
  'Good morning',
  'What is the weather in Lusaka tomorrow?',
  'Please write a poem about the sea',
  'Can you help me with my taxes?',
  'How much is 17 times 23?',
  'Translate “good night” into Japanese',
  'Who won the world cup in 1998?',
  'Explain photosynthesis to a child',
  'What can you do?',
  'Convert 20 miles to kilometres',
  'I do not understand that, say it again',
]

/** Every so manieth fact is asked for. */
const askedEvery = 17

/**
 * Facts of a long acquaintance, the same at every call: of 400 people fourteen each, and the rest of their projects. Every
 * name stands in dozens of facts, and every subject in hundreds.
 *
 * @param size how many facts
 */
export const labelledFacts = (size: number): LabelledFacts => {
  const facts: (NewFact & { daysAgo: number })[] = []
  const questions: LabelledQuestion[] = []
  const add = (text: string, tags: readonly string[] = [], daysAgo = 1 + ((size - facts.length) * 700) / size) =>
    facts.push({ text, tags, importance: 3, daysAgo }) - 1

  const names = last.flatMap(family => first.map(given => `${given} ${family}`))
  for (let round = 0, asked = 0; facts.length < size; round += 1) {
    for (const [place, name] of names.entries()) {
      if (facts.length >= size) break
      const subject = subjects[(place + round) % subjects.length]!
      if (round >= subjects.length) {
        const project = projects[(place * 7 + round) % projects.length]!
        add(remarks[(place + round) % remarks.length]!(`${project} ${name.split(' ')[1]}`, 100 + facts.length))
        continue
      }
      const value = subject.values[(place * 3 + round) % subject.values.length]!
      const at = add(subject.fact(name, value), subject.tags)
      if (at % askedEvery !== 0) continue
      const [wording, ask] = subject.questions[asked % subject.questions.length]!
      asked += 1
      questions.push({ text: ask(name, value), answer: at, wording })
    }
  }
  return { facts, questions, smallTalk }
}
