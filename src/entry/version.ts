/** Of this program, as package.json has it; a test keeps the two the same. */
export const version = '0.1.0'
