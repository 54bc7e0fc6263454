export type { UssdReply } from '../requests/ussd-request.ts'
