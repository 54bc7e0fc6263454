import { sendUssd, type UssdScreen } from '@sibyl/plugin-ussd/testing'
import { expectThat } from './demo-failure.ts'
import type { Narrator } from './narrator.ts'

const serviceCode = '*1234#'
/** Reserved for fiction in the United Kingdom. */
const phoneNumber = '+447700900001'

/** The output of the call, and its gateway. */
export interface PhoneCall {
  readonly narrator: Narrator
  /** The running oracle. */
  readonly url: string
}

/**
 * Dials the oracle from a phone, looks around, and hangs up.
 *
 * @throws DemoFailure at a screen that is not as it should be
 */
export const callFromPhone = async ({ narrator, url }: PhoneCall): Promise<void> => {
  narrator.step('Any phone reaches it')
  narrator.print(
    'No internet and no token: the phone dials a code, and its network asks POST /api/ussd for each screen.',
  )
  const show = (typed: string, { kind, text }: UssdScreen) => {
    narrator.request(typed)
    narrator.phone(text)
    return kind
  }
  const welcome = await sendUssd(url, { serviceCode, phoneNumber })
  expectThat(show(`dial ${serviceCode}`, welcome) === 'CON', 'The phone shows no menu.')
  const information = await welcome.answer('1')
  expectThat(show('reply 1', information) === 'CON', 'Know More ended the session.')
  const goodbye = await information.answer('*')
  expectThat(show('reply *', goodbye) === 'END', 'The session went on after Exit.')
}
