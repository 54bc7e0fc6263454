export { asciiDigits } from './ascii-digits.ts'
export { maskPhone, normalPhone, phoneChannel, readPhoneNumber } from './phone-channel.ts'
export { phoneTextLength } from './phone-text.ts'
export { plainPhoneText, shortenPhoneText } from './plain-phone-text.ts'
