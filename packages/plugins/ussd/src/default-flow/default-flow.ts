import { phoneChannel } from '@sibyl/plugin/phones'
import { claimSubmission, smsSender, userPreferences } from '@sibyl/protocol'
import type { Flow, Screen, Text } from '../flow/flow.ts'
import { bundledLanguages } from '../languages/bundled-languages.ts'
import type { DefaultTexts, Language } from '../languages/language.ts'
import { shorten } from '../text/shorten.ts'
import { accountMenu } from './account-menu.ts'
import { askMenu } from './ask-menu.ts'
import { changePin, forgotPin } from './change-pin.ts'
import { createAccount } from './create-account.ts'
import { languageMenu } from './language-menu.ts'
import type { DefaultFlowOptions, FlowServices, MenuKit } from './menu-kit.ts'
import { menu, message } from './menu-screens.ts'
import { myAccountMenu } from './my-account-menu.ts'
import { reportMenu } from './report-menu.ts'

/** Maximum displayed length of the oracle's name, so that the start screen also fits in other scripts. */
const longestName = 30

/**
 * Returns the bundled menus: Know More, and an account with profile, language, PIN, questions to the oracle, and reports if
 * a plugin accepts claims. Unavailable options are marked or omitted.
 *
 * @example
 * ussd({ flow: services => defaultFlow(services, { about: { en: 'Weather for farmers.', sw: 'Hali ya hewa.' } }) })
 */
export const defaultFlow = (services: FlowServices, options: DefaultFlowOptions = {}): Flow => {
  const { host, customers, phones, questions } = services
  const languages = options.languages ?? bundledLanguages
  const facts = {
    oracle: shorten(plain(host.oracle.name), longestName),
    price: plain(host.oracle.price ?? ''),
    contact: plain(options.contact ?? ''),
  }
  const text = (name: keyof DefaultTexts): Text =>
    byLanguage(languages, ({ texts }) =>
      texts[name].replace(/\{(oracle|price|contact)\}/g, (_, fact: keyof typeof facts) => facts[fact]),
    )
  const kit: MenuKit = {
    customers,
    phones,
    questions,
    languages,
    text,
    didOf: ({ phoneNumber }) =>
      host.identity.did === undefined ? undefined : host.identity.pairwiseDid(phoneChannel, phoneNumber),
    sms: host.optionalService(smsSender),
    claims: host.optionalService(claimSubmission),
    preferences: host.optionalService(userPreferences),
    log: host.log,
  }
  const description = plain(host.oracle.description ?? '')
  return {
    start: 'preMenu',
    languages,
    words: wordsOf(languages),
    values: sessionValues,
    screens: {
      ...informationMenu(kit, {
        about: options.about ?? (description === '' ? text('aboutText') : description),
        pricing: options.pricing ?? text(facts.price === '' ? 'noPriceText' : 'pricingText'),
        delivery: options.delivery ?? text('deliveryText'),
      }),
      ...accountMenu(kit),
      ...createAccount(kit),
      ...changePin(kit),
      ...forgotPin(kit, message(kit, facts.contact === '' ? 'askForReset' : 'askContactForReset', 'accountMenu')),
      ...myAccountMenu(kit),
      ...languageMenu(kit),
      ...askMenu(kit),
      ...reportMenu(kit),
    },
  }
}

const sessionValues: Flow['values'] = {
  customerId: { longest: 9, example: '123456782' },
  minutes: { longest: 4, example: '15' },
  name: { longest: 60, example: 'Chanda Mwila' },
  email: { longest: 60, example: 'chanda@example.org' },
  phone: { longest: 16, example: '+260971234567' },
  question: { longest: 160, example: 'Will it rain in Lusaka?' },
  answer: { longest: 600, example: 'It is 24 C in Lusaka with clear sky.' },
  report: { longest: 100, example: 'Delivered five stoves.' },
  reference: { longest: 40, example: 'claim-7f3a' },
}

/** Removes braces, which would mark values, from texts of an operator or a config. */
const plain = (words: string): string => words.replace(/[{}]/g, '').trim()

const byLanguage = (languages: readonly Language[], words: (language: Language) => string): Text =>
  Object.fromEntries(languages.map(language => [language.code, words(language)]))

const wordsOf = (languages: readonly [Language, ...Language[]]): NonNullable<Flow['words']> =>
  Object.fromEntries(
    Object.keys(languages[0].words).map(name => [
      name,
      byLanguage(languages, ({ words }) => words[name as keyof Language['words']]),
    ]),
  )

const informationMenu = (kit: MenuKit, texts: Readonly<Record<'about' | 'pricing' | 'delivery', Text>>) => ({
  preMenu: menu(kit, 'welcome', {
    knowMore: 'knowMore',
    accountMenu: ({ customerId }) => (customerId === undefined ? 'accountMenu' : 'myAccount'),
  }),
  knowMore: menu(kit, 'knowMore', { about: 'about', pricing: 'pricing', delivery: 'delivery' }),
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]): [string, Screen] => [name, { kind: 'message', text }]),
  ),
})
