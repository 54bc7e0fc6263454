/** Returns whether a text can be dialled: star, digits, further groups of digits behind stars, and the hash. */
export const isServiceCode = (text: string): boolean => /^\*\d+(\*\d+)*#$/.test(text) && text.length <= 100

/** Returns whether a text is a phone number in E.164 with its plus. */
export const isPhoneNumber = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text)

/** What is dialled where no code is given. */
export const usualServiceCode = '*1234#'

/** Whose phone it is where no number is given: one that the United Kingdom keeps for films, so that nobody has it. */
export const usualPhoneNumber = '+447700900001'

/** Seconds from 0 to 99, with decimals. */
export const isSeconds = (text: string): boolean => /^\d{1,2}(\.\d+)?$/.test(text)
