module example.com/pullproof/oracle/x509

go 1.21
