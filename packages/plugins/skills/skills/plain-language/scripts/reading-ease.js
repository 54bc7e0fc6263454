// Measures the readability of text.txt: the mean sentence length, the share of long words, and the longest sentences.

const longSentence = 15
const longWord = 7
const shown = 40

const wordsOf = text => text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? []

const text = files.read('text.txt')
const sentences = text
  .split(/(?<=[.!?…।։؟۔።፧]["'”’»)]?)\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/u)
  .map(sentence => sentence.trim().replaceAll(/\s+/g, ' '))
  .filter(sentence => wordsOf(sentence).length > 0)
const words = sentences.flatMap(wordsOf)
if (words.length === 0) throw new Error('text.txt has no words')

const mean = words.length / sentences.length
const long = words.filter(word => [...word].length >= longWord)
const share = (100 * long.length) / words.length
const ease = mean + share
const levels = [
  [30, 'very easy'],
  [40, 'easy'],
  [50, 'like a newspaper'],
  [60, 'hard'],
]
const level = levels.find(([below]) => ease < below)?.[1] ?? 'very hard'
const counts = new Map()
for (const word of long) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
const frequent = [...counts].sort(([, one], [, other]) => other - one).slice(0, 8)
const tooLong = sentences
  .map(sentence => ({ sentence, length: wordsOf(sentence).length }))
  .filter(({ length }) => length > longSentence)
  .sort((one, other) => other.length - one.length)

console.log(`Words: ${words.length}, sentences: ${sentences.length}, words a sentence: ${mean.toFixed(1)}`)
console.log(
  `${share.toFixed(0)} % of the words have ${longWord} letters or more: ${level}, as English goes (LIX ${ease.toFixed(0)})`,
)
if (frequent.length > 0)
  console.log(`Long words: ${frequent.map(([word, count]) => `${word.slice(0, shown)} (${count})`).join(', ')}`)
if (tooLong.length === 0) console.log(`No sentence has more than ${longSentence} words.`)
else console.log(`Sentences of more than ${longSentence} words: ${tooLong.length}. The longest:`)
for (const { sentence, length } of tooLong.slice(0, 5)) {
  console.log(`- ${length} words: ${sentence.length > 160 ? `${sentence.slice(0, 160)}…` : sentence}`)
}
