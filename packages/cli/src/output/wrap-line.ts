import { TextWrapper } from './text-wrapper.ts'

/** Breaks a line into lines of at most so many columns, between words where it can, and inside a longer word. */
export const wrapLine = (line: string, columns: number): string[] => {
  let wrapped = ''
  const wrapper = new TextWrapper(
    text => {
      wrapped += text
    },
    '',
    columns,
  )
  wrapper.push(line)
  wrapper.flush()
  return wrapped.split('\n')
}
