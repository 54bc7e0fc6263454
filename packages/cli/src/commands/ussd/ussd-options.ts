import { urlOption } from '../../command/common-options.ts'
import { checkedText, type OptionDefinitions, type OptionsOf } from '../../command/define-command.ts'
import { isPhoneNumber, isSeconds, usualPhoneNumber } from './phone/dial-formats.ts'

const parseSeconds = checkedText(isSeconds, 'seconds from 0 to 99.')

export const ussdOptions = {
  ...urlOption,
  phone: {
    value: '<number>',
    parse: checkedText(isPhoneNumber, 'a number such as +447700900002.'),
    summary: `the phone number (default: ${usualPhoneNumber}, which is reserved for tests)`,
  },
  once: { value: '<answers>', summary: 'send these answers, joined by stars, print the last screen and exit' },
  json: { summary: 'print every screen as one line of JSON' },
  provider: {
    value: '<name>',
    conflicts: 'last',
    summary: 'send requests in the form of a telecom provider, such as hubtel',
  },
  last: { summary: 'send only the last answer, instead of all answers joined by stars' },
  slow: {
    value: '<seconds>',
    parse: (text: string) => Number(parseSeconds(text)),
    summary: 'delay of the network in seconds, 0 to 99',
  },
  twice: { summary: 'deliver each request twice at once, and fail if the replies differ' },
  record: {
    value: '<file>',
    conflicts: 'replay',
    summary: 'record the session to a file, including PINs',
  },
  replay: {
    value: '<file>',
    conflicts: ['once', 'last'],
    summary: 'replay a recording, and fail at the first screen that differs',
  },
} satisfies OptionDefinitions

export type UssdOptions = OptionsOf<typeof ussdOptions>
