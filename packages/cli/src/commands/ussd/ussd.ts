import { type PhoneForm, phoneForms, plainForm } from '@sibyl/bundle/phone'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { ExitCode } from '../../errors/exit-code.ts'
import { oracleUrl } from '../../oracle/oracle-url.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal, stylesFor } from '../../output/styles.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { callByHand } from './phone/call-by-hand.ts'
import { callByScript } from './phone/call-by-script.ts'
import { callOnce, splitAnswers } from './phone/call-once.ts'
import { usualPhoneNumber, usualServiceCode } from './phone/dial-formats.ts'
import { FramedPhoneView } from './phone/framed-phone-view.ts'
import { MobileNetwork } from './phone/mobile-network.ts'
import { jsonPhoneView, type PhoneView, plainPhoneView } from './phone/phone-view.ts'
import { Recorder } from './phone/recording.ts'
import { replay } from './phone/replay.ts'
import type { UssdOptions } from './ussd-command.ts'

/**
 * Runs `sibyl ussd`: a phone for a user on a terminal, or for a script.
 *
 * @param serviceCode The code to dial. @default `*1234#`
 */
export const ussd = async (serviceCode: string | undefined, options: UssdOptions, io: CommandIo): Promise<ExitCode> => {
  const form = providerForm(options)
  const url = await oracleUrl(options, io)
  const { slow = 0, twice = false } = options
  const network = new MobileNetwork({ url, secret: io.env.USSD_GATEWAY_SECRET }, { slowSeconds: slow, twice })
  const view = viewFor(options, io)
  const onInterrupt = io.onInterrupt
  if (options.replay !== undefined) {
    return replay(options.replay, { network, view, form, phoneNumber: options.phone, onInterrupt })
  }
  const answers = answersOf(options)
  const parts = {
    network,
    view,
    form: form ?? plainForm(options.last ? 'last' : 'cumulative'),
    phoneNumber: options.phone ?? usualPhoneNumber,
    serviceCode: serviceCode ?? usualServiceCode,
    recorder: options.record === undefined ? undefined : await Recorder.begin(options.record),
  } as const
  if (answers) return callOnce(parts, answers, options.json === true, io)
  return isByHand(options, io) ? callByHand(parts, url, io) : callByScript(parts, io)
}

const providerForm = ({ provider }: UssdOptions): PhoneForm | undefined => {
  if (provider === undefined) return undefined
  const form = phoneForms.find(({ name }) => name === provider)
  if (form) return form
  const names = phoneForms.map(({ name }) => name).join(', ')
  throw cliErrors.usage_invalid('That provider is unknown.', `Pass one of ${names}.`)
}

const answersOf = ({ once }: UssdOptions): string[] | undefined => {
  if (once === undefined) return undefined
  const answers = splitAnswers(once)
  if (answers) return answers
  const remedy = 'Join answers by stars, as in 1*2; 1** is 1 and then a star. Or pipe them, one per line.'
  throw cliErrors.usage_invalid('An answer of --once is empty.', remedy)
}

const isByHand = ({ json }: UssdOptions, { stdin, stdout, env }: CommandIo): boolean =>
  !json && stdin.isTTY === true && isTerminal(stdout, env)

const viewFor = ({ json }: UssdOptions, io: CommandIo): PhoneView => {
  const { stdout, env } = io
  if (json) return jsonPhoneView(io)
  if (!isTerminal(stdout, env)) return plainPhoneView(io)
  return new FramedPhoneView(new Screen(stdout, true), stylesFor(stdout, env), false)
}
