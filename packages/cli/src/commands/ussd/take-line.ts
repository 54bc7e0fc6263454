import { isServiceCode } from './dial-formats.ts'
import type { LineEnd, Phone } from './phone.ts'
import { isPhoneCommand, runPhoneCommand } from './phone-commands.ts'
import type { PhoneView } from './phone-view.ts'

/**
 * Does what a person typed: answers the screen, dials, or changes the phone where the line begins with a slash; two
 * slashes are an answer that begins with one.
 *
 * @throws what `Phone.dial` and `Phone.answer` throw
 */
export const takeLine = async (phone: Phone, view: PhoneView, line: string): Promise<LineEnd> => {
  if (isPhoneCommand(line)) return runPhoneCommand(phone, view, line)
  const typed = line.startsWith('//') ? line.slice(1) : line
  if (phone.inCall) {
    if (typed.trim() !== '') return phone.answer(typed)
    view.note('A phone sends no empty answer. /help says what else can be typed.')
    return 'shown'
  }
  const code = typed.trim()
  if (code === '') return phone.dial()
  if (isServiceCode(code)) return phone.dial(code)
  view.problem(
    'No session is open, and that is no code.',
    `A code looks like *1234#. Enter dials ${phone.serviceCode}.`,
  )
  return 'failed'
}
