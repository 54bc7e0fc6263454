import { readPhoneNumber } from '@sibyl/plugin/phones'

/** Returns whether a text is a service code: star, digits, further groups of digits after stars, and the hash. */
export const isServiceCode = (text: string): boolean => /^\*\d+(\*\d+)*#$/.test(text) && text.length <= 100

/** Returns whether a text is a phone number in E.164 with its plus. */
export const isPhoneNumber = (text: string): boolean => readPhoneNumber(text) === text

/** The default service code. */
export const usualServiceCode = '*1234#'

/** The default phone number, reserved for fiction in the United Kingdom. */
export const usualPhoneNumber = '+447700900001'

/** Seconds from 0 to 99, with decimals. */
export const isSeconds = (text: string): boolean => /^\d{1,2}(\.\d+)?$/.test(text)
