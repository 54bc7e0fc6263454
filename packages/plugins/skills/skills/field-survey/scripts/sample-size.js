// Computes a sample size. Reads survey.json: { "population": 2400, "margin": 5, "responseRate": 60, "confidence": 95 };
// margin and responseRate in percent. Omit population if it is unknown; responseRate and confidence are optional.

const scores = { 80: 1.282, 90: 1.645, 95: 1.96, 99: 2.576 }

const survey = JSON.parse(files.read('survey.json'))
if (typeof survey !== 'object' || survey === null) throw new Error('survey.json must be an object')
const { population, margin = 5, responseRate = 100, confidence = 95 } = survey
if (!Object.hasOwn(scores, confidence)) throw new Error(`confidence must be one of ${Object.keys(scores).join(', ')}`)
if (!(margin > 0 && margin < 50)) throw new Error('margin must be a percentage above 0 and below 50')
if (!(responseRate > 0 && responseRate <= 100)) throw new Error('responseRate must be a percentage above 0')
if (population !== undefined && !(population >= 1))
  throw new Error('population must be a number of people; omit it if unknown')

const endless = (scores[confidence] / (margin / 100)) ** 2 / 4
const answers = Math.ceil(population === undefined ? endless : endless / (1 + (endless - 1) / population))
const invited = Math.min(Math.ceil(answers / (responseRate / 100)), population ?? Number.POSITIVE_INFINITY)

console.log(`Answers needed: ${answers} (margin ${margin} points, ${confidence} times in 100)`)
console.log(`People to ask: ${invited} (if ${responseRate} % answer)`)
if (population !== undefined && answers * (100 / responseRate) > population)
  console.log('That exceeds the population: ask everyone, and expect a wider margin.')
