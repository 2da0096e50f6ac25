export { default as prose } from './en.md';
export { default as strings } from './strings.en.js';
