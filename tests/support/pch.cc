// Holds the precompiled gMock header that all test programs share.
