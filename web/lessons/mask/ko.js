export { default as prose } from './ko.md';
export { default as strings } from './strings.ko.js';
