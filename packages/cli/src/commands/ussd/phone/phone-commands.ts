import { isPhoneNumber, isSeconds, isServiceCode } from './dial-formats.ts'
import type { LineEnd, Phone } from './phone.ts'
import type { PhoneView } from './phone-view.ts'
import { Recorder } from './recording.ts'

const help = `/dial [code]     dials, also during a session
/cancel          cancels the session, like Ctrl-C
/phone [number]  switches to another phone; without a number it shows the current one
/slow <seconds>  delays the network; /slow 0 removes the delay
/twice           delivers each request twice at once; again: once
/record [file]   records the session to a file, from its start; without a file it stops
/quit            exits, like Ctrl-D
//…              an answer that starts with a slash`

/** Returns whether a line is a command of the phone, not an answer. */
const isPhoneCommand = (line: string): boolean => /^\/(?!\/)/.test(line)

/** Runs a command of `/help`. Throws the errors of `Phone.dial`, `usage_invalid` for a file that cannot be written. */
const runPhoneCommand = async (phone: Phone, view: PhoneView, line: string): Promise<LineEnd> => {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*?)\s*$/.exec(line) ?? []
  const refuse = (message: string): LineEnd => {
    view.problem(message, '')
    return 'failed'
  }
  switch (name) {
    case 'dial':
      if (argument === '') return phone.dial()
      return isServiceCode(argument) ? phone.dial(argument) : refuse('A code looks like *1234#.')
    case 'cancel':
      view.note(phone.cancel() ? 'Canceled. Press Enter to dial again.' : 'There is no session to cancel.')
      return 'shown'
    case 'phone':
      if (argument !== '' && !isPhoneNumber(argument)) return refuse('A phone number looks like +447700900002.')
      view.note(`The current phone is ${argument || phone.number}.`)
      if (argument !== '') phone.select(argument)
      return 'shown'
    case 'slow':
      if (!isSeconds(argument)) return refuse('Pass 0 to 99 seconds: /slow 3')
      phone.network.slowSeconds = Number(argument)
      view.note(Number(argument) > 0 ? `Each request takes ${Number(argument)} s longer.` : 'The delay is removed.')
      return 'shown'
    case 'twice':
      phone.network.twice = !phone.network.twice
      view.note(`Each request is delivered ${phone.network.twice ? 'twice at once' : 'once'}.`)
      return 'shown'
    case 'record':
      return record(phone, view, argument)
    case 'help':
      view.note(help)
      return 'shown'
    case 'quit':
      return 'left'
    default:
      return refuse('Unknown command. /help lists the commands; // starts an answer with a slash.')
  }
}

const record = async (phone: Phone, view: PhoneView, path: string): Promise<LineEnd> => {
  if (path === '') {
    view.note(phone.recorder ? 'Recording stopped.' : 'Nothing is recorded. Start with /record <file>.')
    phone.recorder = undefined
    return 'shown'
  }
  phone.recorder = await Recorder.begin(path)
  const { call } = phone
  if (call && phone.inCall) await phone.recorder.keep(call)
  view.note(recordingNotice)
  return 'shown'
}

/** The warning at the start of a recording. */
export const recordingNotice = 'Recording. The file contains everything that is typed, including PINs.'

/**
 * Handles a line: answers the screen, dials, or runs a command if it starts with a slash; two slashes start an answer
 * with one.
 *
 * @throws the errors of `Phone.dial` and `Phone.answer`
 */
export const handleLine = async (phone: Phone, view: PhoneView, line: string): Promise<LineEnd> => {
  if (isPhoneCommand(line)) return runPhoneCommand(phone, view, line)
  const typed = line.startsWith('//') ? line.slice(1) : line
  if (phone.inCall) {
    if (typed.trim() !== '') return phone.answer(typed)
    view.note('A phone does not send empty answers. /help lists the commands.')
    return 'shown'
  }
  const code = typed.trim()
  if (code === '') return phone.dial()
  if (isServiceCode(code)) return phone.dial(code)
  view.problem(
    'No session is open, and this is not a code.',
    `A code looks like *1234#. Press Enter to dial ${phone.serviceCode}.`,
  )
  return 'failed'
}
