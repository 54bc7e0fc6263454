import { urlOption } from '../../command/common-options.ts'
import { checkedText, type OptionDefinitions, type OptionsOf } from '../../command/define-command.ts'
import { isPhoneNumber, isSeconds, usualPhoneNumber } from './phone/dial-formats.ts'

const parseSeconds = checkedText(isSeconds, 'seconds from 0 to 99.')

export const ussdOptions = {
  ...urlOption,
  phone: {
    value: '<number>',
    parse: checkedText(isPhoneNumber, 'one such as +447700900002.'),
    summary: `whose phone it is (default: ${usualPhoneNumber}, which nobody has)`,
  },
  once: { value: '<answers>', summary: 'type these, joined by stars, show the last screen and leave' },
  json: { summary: 'every screen as one line of JSON' },
  last: { summary: 'send what was typed last, not all of the session joined by stars' },
  slow: {
    value: '<seconds>',
    parse: (text: string) => Number(parseSeconds(text)),
    summary: 'how long the network takes, 0 to 99',
  },
  twice: { summary: 'deliver each request twice at once, and fail where the replies differ' },
  record: {
    value: '<file>',
    conflicts: 'replay',
    summary: 'write what is typed and shown to a file; PINs too',
  },
  replay: {
    value: '<file>',
    conflicts: ['once', 'last'],
    summary: 'play a recording, and fail at the first screen that is another',
  },
} satisfies OptionDefinitions

export type UssdOptions = OptionsOf<typeof ussdOptions>
