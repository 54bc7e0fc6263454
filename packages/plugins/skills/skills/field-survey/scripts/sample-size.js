// How many people to ask. Reads survey.json: { "population": 2400, "margin": 5, "responseRate": 60, "confidence": 95 };
// margin and responseRate in percent; population may be left out where it is not known, and so may the last two.

const scores = { 80: 1.282, 90: 1.645, 95: 1.96, 99: 2.576 }

const survey = JSON.parse(files.read('survey.json'))
if (typeof survey !== 'object' || survey === null) throw new Error('survey.json must be an object')
const { population, margin = 5, responseRate = 100, confidence = 95 } = survey
if (!Object.hasOwn(scores, confidence)) throw new Error(`confidence must be one of ${Object.keys(scores).join(', ')}`)
if (!(margin > 0 && margin < 50)) throw new Error('margin must be a percentage above 0 and below 50')
if (!(responseRate > 0 && responseRate <= 100)) throw new Error('responseRate must be a percentage above 0')
if (population !== undefined && !(population >= 1))
  throw new Error('population must be a number of people, or left out')

const endless = (scores[confidence] / (margin / 100)) ** 2 / 4
const answers = Math.ceil(population === undefined ? endless : endless / (1 + (endless - 1) / population))
const invited = Math.min(Math.ceil(answers / (responseRate / 100)), population ?? Number.POSITIVE_INFINITY)

console.log(`Answers needed: ${answers} (margin ${margin} points, ${confidence} times in 100)`)
console.log(`People to ask: ${invited} (if ${responseRate} % answer)`)
if (population !== undefined && answers * (100 / responseRate) > population)
  console.log('That is more than there are: ask everybody, and expect a wider margin.')
