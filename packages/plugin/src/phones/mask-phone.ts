/** Masks a phone number for users and logs: `+26097•••4567`. */
export const maskPhone = (number: string): string =>
  number.length < 11 ? `${number.slice(0, 3)}•••${number.slice(-2)}` : `${number.slice(0, 6)}•••${number.slice(-4)}`
