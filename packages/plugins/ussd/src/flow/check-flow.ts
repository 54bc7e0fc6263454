import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionScreen, Flow, FlowWords, Screen, Target, Text } from './flow.ts'
import { defaultKeys, longestQuote, placeholder } from './flow-speech.ts'
import { screenOf } from './flow-trail.ts'
import { bundledWords, bundledWordsOf, english } from './flow-words.ts'

/** @throws `flow_invalid` with every problem of a flow */
export const checkFlow = (flow: Flow): void => {
  const problems = flowProblems(flow)
  if (problems.length > 0) throw flowInvalid(problems)
}

/** Returns `flow_invalid` with problems of one line each: `screens.home.options[0].to: no screen is called "hom"`. */
export const flowInvalid = (problems: readonly string[]) =>
  ussdErrors.flow_invalid(
    {
      count: `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
      problems: problems.map(problem => `  ${problem}`).join('\n'),
    },
    { facts: { problems } },
  )

const flowProblems = (flow: Flow): string[] => [
  ...startProblems(flow),
  ...languageProblems(flow),
  ...valueProblems(flow),
  ...keyProblems(flow),
  ...Object.entries(flow.screens).flatMap(([name, screen]) => [
    ...nameProblems(`screens.${name}`, name),
    ...problemUnless(name !== 'exit', 'screens.exit: that name stands for the end of the session; choose another'),
    ...screenProblems(flow, `screens.${name}`, screen),
  ]),
]

/** Returns a problem unless the condition holds. */
const problemUnless = (isFine: boolean, problem: string): string[] => (isFine ? [] : [problem])

const startProblems = (flow: Flow): string[] => {
  const start = screenOf(flow, flow.start)
  if (start === undefined) return [`start: ${missing(flow.start)}`]
  return problemUnless(
    start.kind !== 'action' || start.effect === 'read',
    `start: "${flow.start}" is an action with an effect, which a dial alone must not have; begin with a screen`,
  )
}

const languageProblems = (flow: Flow): string[] => {
  const languages = flow.languages ?? [english]
  const codes = languages.map(({ code }) => code)
  const words = Object.keys(bundledWords.en) as (keyof FlowWords)[]
  const isCode = (code: string) => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code)
  return [
    ...problemUnless(languages.length > 0, 'languages: name at least one'),
    ...codes.flatMap(code => problemUnless(isCode(code), `languages: "${code}" is not a BCP 47 code such as "sw"`)),
    ...codes.flatMap((code, index) =>
      problemUnless(codes.indexOf(code) === index, `languages: "${code}" is there twice`),
    ),
    ...words.flatMap(word => [
      ...textProblems(flow, `words.${word}`, flow.words?.[word]),
      ...codes.flatMap(code =>
        problemUnless(
          hasWord(flow.words?.[word], code) || bundledWordsOf(code) !== undefined,
          `words.${word}: says nothing in "${code}", for which no words are bundled`,
        ),
      ),
    ]),
  ]
}

const hasWord = (text: Text | undefined, code: string): boolean =>
  typeof text === 'string' || (text !== undefined && Object.hasOwn(text, code))

const valueProblems = (flow: Flow): string[] => {
  const screens = Object.entries(flow.screens)
  const secrets = new Set(screens.flatMap(([, screen]) => (screen.kind === 'secret' ? [screen.into] : [])))
  return [
    ...screens.flatMap(([name, screen]) =>
      (screen.kind === 'input' || screen.kind === 'choice') && secrets.has(screen.into)
        ? [`screens.${name}.into: "${screen.into}" is the name of a secret; choose another`]
        : [],
    ),
    ...Object.entries(flow.values ?? {}).flatMap(([name, { longest }]) => [
      ...nameProblems(`values.${name}`, name),
      ...problemUnless(!secrets.has(name), `values.${name}: is the name of a secret, which no screen may show`),
      ...problemUnless(
        Number.isInteger(longest) && longest >= 1 && longest <= longestQuote,
        `values.${name}.longest: must be a whole number from 1 to ${longestQuote}, is ${longest}`,
      ),
    ]),
  ]
}

const keyProblems = (flow: Flow): string[] => {
  const keys = Object.entries({ ...defaultKeys, ...flow.keys })
  return keys.flatMap(([name, key], index) => [
    ...problemUnless(/^\d{1,3}$/.test(key), `keys.${name}: must be 1 to 3 digits, is "${key}"`),
    ...keys
      .slice(0, index)
      .flatMap(([other, taken]) =>
        problemUnless(taken !== key, `keys.${name}: "${key}" is the key of ${other} already`),
      ),
  ])
}

const screenProblems = (flow: Flow, place: string, screen: Screen): string[] => [
  ...textsOf(screen).flatMap(({ where, text }) => textProblems(flow, `${place}.${where}`, text)),
  ...('into' in screen ? nameProblems(`${place}.into`, screen.into) : []),
  ...targetsOf(screen).flatMap(({ where, to }) => targetProblems(flow, `${place}.${where}`, to)),
  ...problemUnless(screen.kind !== 'menu' || screen.options.length > 0, `${place}.options: a menu needs at least one`),
  ...(screen.kind === 'action' ? actionProblems(place, screen) : []),
]

const actionProblems = (place: string, { leadsTo, timeLimitMs = 1 }: ActionScreen): string[] => [
  ...problemUnless(leadsTo.length > 0, `${place}.leadsTo: name every screen that run may lead to`),
  ...problemUnless(
    Number.isInteger(timeLimitMs) && timeLimitMs > 0,
    `${place}.timeLimitMs: must be a whole number of milliseconds above 0, is ${timeLimitMs}`,
  ),
]

const targetProblems = (flow: Flow, place: string, to: Target): string[] =>
  typeof to === 'function'
    ? []
    : problemUnless(to === 'exit' || screenOf(flow, to) !== undefined, `${place}: ${missing(to)}`)

const textProblems = (flow: Flow, place: string, text: Text | undefined): string[] => {
  if (text === undefined) return []
  const versions = typeof text === 'string' ? [text] : Object.values(text)
  const names = new Set(versions.flatMap(words => Array.from(words.matchAll(placeholder), ([, name]) => name!)))
  return [
    ...problemUnless(versions.length > 0 && versions.every(words => words.trim() !== ''), `${place}: has no words`),
    ...problemUnless(!versions.some(words => unprintable.test(words)), `${place}: holds a control character`),
    ...[...names].flatMap(name =>
      problemUnless(
        Object.hasOwn(flow.values ?? {}, name),
        `${place}: {${name}} is not declared; add it to the flow's values with its longest length`,
      ),
    ),
  ]
}

const unprintable = /[^\P{Cc}\n]|\p{Bidi_Control}|\p{Cs}/u

const nameProblems = (place: string, name: string): string[] =>
  problemUnless(
    /^[A-Za-z][\w-]{0,63}$/.test(name),
    `${place}: "${name}" is not a name: a letter, then letters, digits, "_" and "-", at most 64 in all`,
  )

const missing = (name: string): string => `no screen is called "${name}"`

/** Returns the literal texts of a screen, each with its place: `options[0].label`. */
export const textsOf = (screen: Screen): { readonly where: string; readonly text: Text }[] => {
  switch (screen.kind) {
    case 'menu':
      return [
        { where: 'text', text: screen.text },
        ...screen.options.map(({ label }, index) => ({ where: `options[${index}].label`, text: label })),
      ]
    case 'choice':
      return [
        { where: 'text', text: screen.text },
        { where: 'empty', text: screen.empty },
      ]
    case 'message':
      return typeof screen.text === 'function' ? [] : [{ where: 'text', text: screen.text }]
    case 'action':
      return screen.late === undefined ? [] : [{ where: 'late', text: screen.late }]
    default:
      return [{ where: 'text', text: screen.text }]
  }
}

/** Returns the targets of a screen, each with its place: `options[0].to`. */
export const targetsOf = (screen: Screen): { readonly where: string; readonly to: Target }[] => [
  ...(typeof screen.back === 'string' ? [{ where: 'back', to: screen.back }] : []),
  ...onwardTargetsOf(screen),
]

const onwardTargetsOf = (screen: Screen): { readonly where: string; readonly to: Target }[] => {
  switch (screen.kind) {
    case 'menu':
      return screen.options.map(({ to }, index) => ({ where: `options[${index}].to`, to }))
    case 'confirm':
      return [
        { where: 'yes', to: screen.yes },
        { where: 'no', to: screen.no },
      ]
    case 'message':
      return []
    case 'action':
      return [
        ...(screen.failed === undefined ? [] : [{ where: 'failed', to: screen.failed }]),
        ...screen.leadsTo.map((to, index) => ({ where: `leadsTo[${index}]`, to })),
      ]
    default:
      return [{ where: 'to', to: screen.to }]
  }
}
