import { PlainCall } from '../ussd/plain-call.ts'
import { commonPin } from './sign-in.ts'

/** Makes accounts, each from a phone of its own, all with the same PIN. @returns the customer ids */
export const createAccounts = async (url: string, count: number, atOnce: number): Promise<readonly string[]> => {
  const ids: string[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const call = new PlainCall(url, `+26097${String(index).padStart(7, '0')}`)
      await call.answer('2*2')
      for (const typed of ['Everybody', '1', commonPin]) await call.answer(typed)
      const { text } = await call.answer(commonPin)
      const id = /\d{9}/.exec(text)?.[0]
      if (id === undefined) throw new Error(`no account was made: ${text}`)
      ids.push(id)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return ids
}
