/**
 * The channel under which the DID of a phone is derived: `host.identity.pairwiseDid(phoneChannel, '+260971234567')`. By USSD
 * and by SMS a phone is the same person.
 */
export const phoneChannel = 'ussd'
