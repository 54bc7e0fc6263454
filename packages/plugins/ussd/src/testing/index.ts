export type { UssdReply } from '../requests/ussd-request.ts'
export { sendUssd, type UssdCall, type UssdDialogue, type UssdScreen, type UssdTarget } from './send-ussd.ts'
