// Package rules holds the house rules of the tree as ordinary tests: who may import whom, what is named
// how, how long a file may be, which bytes may be shipped, whether generated code is current. The product
// runs none of it, and it never looks at behaviour: that is for the tests beside their source.
package rules
