// Every process prints its environment as it starts.
console.error(JSON.stringify(process.env))
